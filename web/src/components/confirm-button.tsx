import { Box, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { ProblemNote } from './problem-note.tsx';
import { words } from './words.ts';

interface TwoPressesProps {
  label: string;
  /** Label of the button that cancels the confirmation. */
  keep: string;
  /** Explanation of the button's action, shown after the first press; by default a request to press again. */
  about?: string;
  icon?: ReactNode;
  /** Color of the button: by default red, for what takes something away. */
  color?: 'red' | 'wine';
  error: Error | null;
  isPending: boolean;
  onConfirm(): void;
}

/** Button for an action that can't be undone: the first press explains the action, the second carries it out. */
export function ConfirmButton(props: TwoPressesProps) {
  const { label, keep, about, icon, color = 'red', error, isPending, onConfirm } = props;
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
          color={color}
          leftSection={icon}
          loading={isPending}
          onClick={isAsked ? onConfirm : () => setAsked(true)}
        >
          {label}
        </Button>
      </Group>
    </div>
  );
}
