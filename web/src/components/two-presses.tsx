import { Box, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { ProblemNote } from './problem-note.tsx';
import { words } from './words.ts';

interface TwoPressesProps {
  label: string;
  /** Of the button that leaves all as it is. */
  keep: string;
  /** What it means, said once it was pressed; without it, that another press does it. */
  about?: string;
  icon?: ReactNode;
  error: Error | null;
  isPending: boolean;
  onSure(): void;
}

/** For what can't be taken back: the first press says what it means, the second does it. */
export function TwoPresses({ label, keep, about, icon, error, isPending, onSure }: TwoPressesProps) {
  const say = useWords(words);
  const [isAsked, setAsked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const leave = () => {
    setAsked(false);
    button.current?.focus();
  };
  return (
    <div>
      <div role="status">{isAsked && <Text pb="sm">{about ?? say('pressAgain')}</Text>}</div>
      {error !== null && (
        <Box pb="sm">
          <ProblemNote error={error} />
        </Box>
      )}
      <Group gap="sm">
        {isAsked && (
          <Button variant="default" onClick={leave}>
            {keep}
          </Button>
        )}
        <Button
          ref={button}
          variant={isAsked ? 'filled' : 'light'}
          color="red"
          leftSection={icon}
          loading={isPending}
          onClick={isAsked ? onSure : () => setAsked(true)}
        >
          {label}
        </Button>
      </Group>
    </div>
  );
}
