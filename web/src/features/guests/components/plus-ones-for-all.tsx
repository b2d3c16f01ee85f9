import { Button, Group, NumberInput, Popover, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import type { BulkChange } from '../api/bulk.ts';
import { rsvpSettingsQuery } from '../api/guests.ts';
import { words } from '../words.ts';

const MOST = 99;

interface PlusOnesForAllProps {
  eventId: string;
  isPending: boolean;
  onChange(body: BulkChange): Promise<void>;
}

/** Popover that sets how many people each selected guest may bring: a number, or as many as the event allows. */
export function PlusOnesForAll({ eventId, isPending, onChange }: PlusOnesForAllProps) {
  const say = useWords(words);
  const [isOpen, setOpen] = useState(false);
  const [most, setMost] = useState<number | string>('');
  const { data: settings } = useQuery(rsvpSettingsQuery(eventId));
  const each = settings?.plus_ones_each ?? undefined;
  const change = (max_plus_ones: number | null) => {
    setOpen(false);
    setMost('');
    onChange({ max_plus_ones }).catch(() => {});
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="top" shadow="md" width={320}>
      <Popover.Target>
        <Button
          variant="default"
          disabled={isPending}
          leftSection={<UserRoundPlus size={18} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {say('plusOnesMany')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={say('plusOnesWhich')}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (most !== '') change(Number(most));
          }}
        >
          <Stack gap="sm">
            <NumberInput
              label={say('plusOnesWhich')}
              data-autofocus
              min={0}
              max={MOST}
              allowDecimal={false}
              allowNegative={false}
              value={most}
              onChange={setMost}
            />
            <Group gap="sm">
              <Button type="submit" disabled={most === ''}>
                {say('plusOnesSet')}
              </Button>
              <Button variant="default" onClick={() => change(null)}>
                {each === undefined ? say('plusOnesAsEvent') : say('plusOnesAsEventOf', { n: each })}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
