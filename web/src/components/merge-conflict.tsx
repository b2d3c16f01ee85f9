import { Alert, Button, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { words } from './words.ts';

type Side = 'typed' | 'stored';

interface Three<V extends object> {
  before: V;
  typed: V;
  stored: V;
}

interface MergeProps<V extends object> extends Three<V> {
  isPending: boolean;
  label(name: keyof V): string;
  show(name: keyof V, value: V[keyof V]): string;
  onChosen(values: V): void;
}

/** Compares two values of a field by their JSON, so that lists with equal texts are equal. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const namesOf = <V extends object>(values: V) => Object.keys(values) as (keyof V)[];

/** Fields that were changed to different values in the form and in the stored resource. */
export const conflictingFields = <V extends object>({ before, typed, stored }: Three<V>): (keyof V)[] =>
  namesOf(before).filter(
    (name) =>
      !isSame(typed[name], before[name]) &&
      !isSame(stored[name], before[name]) &&
      !isSame(stored[name], typed[name]),
  );

/** Stored values of a form, replaced by the typed changes except in fields where `chosen` prefers the stored value. */
export function mergeValues<V extends object>(
  { before, typed, stored }: Three<V>,
  chosen: Partial<Record<keyof V, Side>> = {},
): V {
  const values = { ...stored };
  for (const name of namesOf(before))
    if (!isSame(typed[name], before[name]) && chosen[name] !== 'stored') values[name] = typed[name];
  return values;
}

/**
 * Shows the versions of each field that was changed both in the form and elsewhere. The typed version is preselected.
 */
export function MergeConflict<V extends object>({
  isPending,
  label,
  show,
  onChosen,
  ...three
}: MergeProps<V>) {
  const say = useWords(words);
  const [chosen, setChosen] = useState<Partial<Record<keyof V, Side>>>({});
  return (
    <Stack role="group" aria-label={say('changedMeanwhile')}>
      <Alert role="alert" color="gray">
        {say('changedMeanwhile')}
      </Alert>
      {conflictingFields(three).map((name) => (
        <Radio.Group
          key={String(name)}
          label={label(name)}
          value={chosen[name] ?? 'typed'}
          onChange={(side) => setChosen((before) => ({ ...before, [name]: side as Side }))}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt={6}>
            {(['typed', 'stored'] as const).map((side) => (
              <Radio.Card key={side} value={side} p="md">
                <Group wrap="nowrap" align="flex-start">
                  <Radio.Indicator />
                  <div>
                    <Text size="sm" c="dimmed">
                      {say(side === 'typed' ? 'mine' : 'theirs')}
                    </Text>
                    <Text dir="auto">{show(name, three[side][name]) || say('nothingSaid')}</Text>
                  </div>
                </Group>
              </Radio.Card>
            ))}
          </SimpleGrid>
        </Radio.Group>
      ))}
      <Group>
        <Button onClick={() => onChosen(mergeValues(three, chosen))} loading={isPending}>
          {say('choose')}
        </Button>
      </Group>
    </Stack>
  );
}
