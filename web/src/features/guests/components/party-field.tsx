import { Button, Group, NumberInput, Popover, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Guest, GuestChanges } from 'simcha-client';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import classes from './list.module.css';

/** Maximum number of people in a guest's party, as in the API. */
export const LARGEST_PARTY = 100;

interface PartyFieldProps {
  guest: Guest;
  children: ReactNode;
  onChange: ((body: GuestChanges, shown: Partial<Guest>) => void) | undefined;
}

/**
 * Party size of a guest, edited in the list. The popover is created when it is first opened, since a list has many
 * rows.
 */
export function PartyField({ guest, children, onChange }: PartyFieldProps) {
  const say = useWords(words);
  const [isMade, setMade] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { name, party_size: n } = guest;
  const label = say('partyOf', { name });
  if (!onChange) return children;
  const open = () => {
    setMade(true);
    setOpen(true);
  };
  const button = (
    <UnstyledButton
      className={classes.control}
      aria-haspopup="dialog"
      onClick={isOpen ? () => setOpen(false) : open}
    >
      <VisuallyHidden>{label}: </VisuallyHidden>
      {children}
    </UnstyledButton>
  );
  if (!isMade) return button;
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus shadow="md" position="bottom-start">
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={label}>
        {isOpen && (
          <PartyForm
            n={n}
            label={label}
            onDone={(people) => {
              setOpen(false);
              if (people !== n) onChange({ party_size: people }, { party_size: people });
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function PartyForm({ n, label, onDone }: { n: number; label: string; onDone(people: number): void }) {
  const say = useWords(words);
  const [value, setValue] = useState<number | string>(n);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onDone(Number(value) || n);
      }}
    >
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <NumberInput
          label={label}
          min={1}
          max={LARGEST_PARTY}
          allowDecimal={false}
          allowNegative={false}
          w={160}
          data-autofocus
          value={value}
          onChange={setValue}
        />
        <Button type="submit">{say('save')}</Button>
      </Group>
    </form>
  );
}
