import { Button, Group, type MantineSpacing, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './draft-form.module.css';
import { DraftNote } from './draft-note.tsx';
import { type FormDraft, focusOn, useFieldProblem } from './form-draft.ts';
import { ProblemNote } from './problem-note.tsx';

/** State of a form, and the function with which the component around it saves the form's values. */
export interface FormState<V extends object> {
  /** Storage key under which the draft of the form survives a reload. */
  draftKey: string;
  initial: V;
  isPending: boolean;
  error: unknown;
  /** Saves the form's values; `button` is the name of the button that was pressed, empty for the usual one. */
  onSubmit(values: V, button: string): void;
}

interface DraftFormProps<V extends object> extends Pick<FormState<V>, 'isPending' | 'error' | 'onSubmit'> {
  draft: FormDraft<V>;
  /** Name of the form's field that corresponds to a field of the API. */
  fieldOf?(field: string): string;
  /** Label of the form's save button; undefined if the form is read-only. */
  submit: string | undefined;
  /** Buttons beside the form's save button. */
  actions?: ReactNode;
  /** True for a form that is longer than a screen: its save button and errors stay in view. */
  isLong?: boolean;
  gap?: MantineSpacing;
  children: ReactNode;
}

/** Form with a draft: fields, errors at the fields that they are about, other errors and the submit button. */
export function DraftForm<V extends object>({
  draft: { form, wasRestored, startOver },
  fieldOf,
  submit,
  actions,
  isLong = false,
  isPending,
  error,
  onSubmit,
  gap = 'md',
  children,
}: DraftFormProps<V>) {
  const problem = useFieldProblem(form, error, fieldOf);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values, event) => onSubmit(values, submitterOf(event)),
        (errors) => focusOn(form, Object.keys(errors)[0]),
      )}
    >
      <fieldset disabled={!submit} className={classes.fields}>
        <Stack gap={gap}>
          {wasRestored && submit && <DraftNote onStartOver={startOver} />}
          {children}
          {submit && (
            <Stack gap="sm" className={classes.save} data-long={isLong || undefined}>
              <ProblemNote error={problem} />
              <Group gap="sm">
                <Button type="submit" loading={isPending}>
                  {submit}
                </Button>
                {actions}
              </Group>
            </Stack>
          )}
        </Stack>
      </fieldset>
    </form>
  );
}

function submitterOf(event: React.FormEvent<HTMLFormElement> | undefined): string {
  const submitter = (event?.nativeEvent as SubmitEvent | undefined)?.submitter;
  return submitter?.getAttribute('name') ?? '';
}
