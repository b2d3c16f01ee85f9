import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { DraftNote } from '../../../components/draft-note.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import classes from './invitation.module.css';

interface FormFrameProps {
  onSubmit(submitted?: React.FormEvent<HTMLFormElement>): void;
  /** False if the form is read-only. */
  mayEdit: boolean;
  onStartOver: (() => void) | undefined;
  problem: unknown;
  isPending: boolean;
  children: ReactNode;
}

/** Frame of a long form, whose save button and errors stay in view. */
export function FormFrame({ onSubmit, mayEdit, onStartOver, problem, isPending, children }: FormFrameProps) {
  const say = useWords(words);
  return (
    <form noValidate onSubmit={onSubmit}>
      <fieldset disabled={!mayEdit} className={classes.fields}>
        {onStartOver && mayEdit && <DraftNote onStartOver={onStartOver} />}
        {children}
        {mayEdit && (
          <Stack gap="sm" className={classes.save}>
            <ProblemNote error={problem} />
            <Group>
              <Button type="submit" loading={isPending}>
                {say('save')}
              </Button>
            </Group>
          </Stack>
        )}
      </fieldset>
    </form>
  );
}
