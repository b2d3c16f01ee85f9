import { Stack, Switch, Text } from '@mantine/core';
import { Fragment } from 'react';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import type { ImportChoices } from '../api/import.ts';
import {
  type ImportedList,
  type ImportedSheet,
  type TagSource,
  tagNamesOf,
  tagSourcesOf,
} from '../api/import-lists.ts';
import { words } from '../import-words.ts';

/** Sentence that says which sheets of the file are imported, with their numbers of guests, and which are left out. */
export function SheetsSummary({ sheets }: { sheets: readonly ImportedSheet[] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const read = sheets.filter(({ isRead }) => isRead);
  const left = sheets.filter(({ isRead }) => !isRead);
  return (
    <Text role="status" fw={500}>
      {say('sheetsRead', { n: read.length, all: sheets.length })}{' '}
      {read.map(({ name, guests }, index) => (
        <Fragment key={name}>
          {index > 0 && ' · '}
          <bdi>{name}</bdi> {formatNumber(guests, language)}
        </Fragment>
      ))}
      {left.length > 0 && (
        <>
          . {say('sheetsLeft')}{' '}
          {left.map(({ name }, index) => (
            <Fragment key={name}>
              {index > 0 && ' · '}
              <bdi>{name}</bdi>
            </Fragment>
          ))}
        </>
      )}
    </Text>
  );
}

const MOST_NAMED = 4;

interface PlaceTagsProps {
  lists: readonly ImportedList[];
  choices: ImportChoices;
  onTagsFrom(tagsFrom: readonly TagSource[]): void;
}

/** Switches that turn names of sheets and titles of lists into tags. Shows nothing if the file has no such names. */
export function PlaceTags({ lists, choices, onTagsFrom }: PlaceTagsProps) {
  const say = useWords(words);
  const names = tagNamesOf(lists);
  const on = tagSourcesOf(lists, choices);
  const switches = [
    { label: say('tagSheet'), sources: ['sheet'], names: names.sheet },
    { label: say('tagTitle'), sources: ['list', 'section'], names: [...names.list, ...names.section] },
  ] as const;
  const offered = switches.filter((one) => one.names.length > 0);
  if (offered.length === 0) return null;
  const change = (sources: readonly TagSource[], isOn: boolean) => {
    const others = on.filter((source) => !sources.includes(source));
    onTagsFrom(isOn ? [...others, ...sources] : others);
  };
  return (
    <Stack gap={0}>
      {offered.map(({ label, sources, names }) => (
        <Switch
          key={label}
          size="md"
          py={8}
          label={label}
          description={names.slice(0, MOST_NAMED).join(' · ')}
          checked={sources.some((source) => on.includes(source))}
          onChange={({ currentTarget }) => change(sources, currentTarget.checked)}
        />
      ))}
    </Stack>
  );
}
