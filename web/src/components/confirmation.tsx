import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { ProblemNote } from './problem-note.tsx';
import { words } from './words.ts';

interface ConfirmationProps {
  /** Consequences of the action. */
  about: string;
  /** Label of the button that carries the action out. */
  label: string;
  /** Colour of that button: red for what can't be undone. */
  color?: string;
  error: Error | null;
  isPending: boolean;
  onConfirm(): void;
  onCancel(): void;
}

/** Question that follows the choice of an action with consequences, for example in a menu. */
export function Confirmation({
  about,
  label,
  color = 'red',
  error,
  isPending,
  onConfirm,
  onCancel,
}: ConfirmationProps) {
  const say = useWords(words);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  return (
    <Stack gap="sm" role="alertdialog" aria-label={label}>
      <Text>{about}</Text>
      <ProblemNote error={error} />
      <Group gap="sm">
        <Button color={color} loading={isPending} onClick={onConfirm}>
          {label}
        </Button>
        <Button ref={cancel} variant="default" onClick={onCancel}>
          {say('cancel')}
        </Button>
      </Group>
    </Stack>
  );
}
