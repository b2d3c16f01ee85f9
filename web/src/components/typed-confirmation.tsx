import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { ProblemNote } from './problem-note.tsx';
import { words } from './words.ts';

interface TypedConfirmationProps {
  /** Consequences of the action. */
  about: ReactNode;
  /** Name that the user types to confirm, such as that of the volume to be overwritten. */
  name: string;
  /** Label of the button that carries the action out. */
  label: string;
  error: Error | null;
  isPending: boolean;
  /** True while the action lacks something besides the typed name. */
  isDisabled?: boolean;
  onConfirm(): void;
  onCancel(): void;
  /** Further fields of the form. */
  children?: ReactNode;
}

/** Form for an action that destroys data: it is carried out only after the user has typed a name. */
export function TypedConfirmation(props: TypedConfirmationProps) {
  const { about, name, label, error, isPending, isDisabled = false, onConfirm, onCancel, children } = props;
  const say = useWords(words);
  const [typed, setTyped] = useState('');
  const isConfirmed = typed.trim() === name && !isDisabled;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed && !isPending) onConfirm();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text>{about}</Text>
        {children}
        <TextInput
          label={say('typeToConfirm', { name })}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <ProblemNote error={error} />
        <Group gap="sm">
          <Button type="submit" color="red" disabled={!isConfirmed} loading={isPending}>
            {label}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {say('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
