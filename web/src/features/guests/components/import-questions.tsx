import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import type { ImportRow } from '../api/import.ts';
import { words } from '../import-words.ts';
import { LARGEST_PARTY } from './party-field.tsx';

/**
 * Says whether the import reads numbers of people from guests' names or keeps the names as written; a button switches
 * between the two.
 */
export function NamesQuestion({ isKept, onKeep }: { isKept: boolean; onKeep(isKept: boolean): void }) {
  const say = useWords(words);
  return (
    <Group gap="xs" justify="space-between">
      <Text style={{ flex: '1 1 260px' }}>{say(isKept ? 'namesKept' : 'namesRead')}</Text>
      <Button variant="default" size="sm" h={44} onClick={() => onKeep(!isKept)}>
        {say(isKept ? 'readNames' : 'keepNames')}
      </Button>
    </Group>
  );
}

interface FamilyQuestionProps {
  familySize: number | undefined;
  isBusy: boolean;
  onFamilySize(people: number): void;
}

/** Question to the user: how many people each family has whose row gives no number. */
export function FamilyQuestion({ familySize, isBusy, onFamilySize }: FamilyQuestionProps) {
  const say = useWords(words);
  const [people, setPeople] = useState<number | string>(familySize ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typeof people === 'number') onFamilySize(people);
  };
  return (
    <Card>
      <form noValidate onSubmit={submit}>
        <Stack gap="xs">
          <Text size="sm">{say('familyAbout')}</Text>
          <Group gap="xs" align="flex-end">
            <NumberInput
              label={say('familyQuestion')}
              min={1}
              max={LARGEST_PARTY}
              clampBehavior="strict"
              allowDecimal={false}
              w={300}
              maw="100%"
              value={people}
              onChange={setPeople}
            />
            <Button type="submit" variant="light" loading={isBusy} disabled={typeof people !== 'number'}>
              {say('forAllFamilies')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

interface FamilySizeProps {
  row: ImportRow;
  /** Number of people that the user entered for this family; undefined if the number for all families applies. */
  counted: number | undefined;
  onCount(people: number | undefined): void;
}

/** Field for the number of people of one family whose row gives no number. */
export function FamilySize({ row, counted, onCount }: FamilySizeProps) {
  const say = useWords(words);
  const shown = counted ?? row.family_size ?? '';
  const [people, setPeople] = useState<number | string>(shown);
  const confirm = () => {
    if (people !== shown) onCount(typeof people === 'number' ? people : undefined);
  };
  return (
    <NumberInput
      aria-label={say('peopleIn', { name: row.name })}
      placeholder={say('howMany')}
      min={1}
      max={LARGEST_PARTY}
      clampBehavior="strict"
      allowDecimal={false}
      w={160}
      value={people}
      onChange={setPeople}
      onBlur={confirm}
      onKeyDown={({ key }) => key === 'Enter' && confirm()}
    />
  );
}
