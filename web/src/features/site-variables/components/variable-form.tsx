import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type ClipboardEvent, type FormEvent, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { SERVER_VARIABLES, VARIABLE_NAME, type Variables } from '../api/env-file.ts';
import { useChangeVariables } from '../api/variables.ts';
import { words } from '../words.ts';
import classes from './variables.module.css';

interface VariableFormProps {
  siteName: string;
  variables: Variables;
  /** Name of the variable whose value is changed; undefined for a new one. */
  edited?: string;
  onSaved(name: string): void;
  onCancel(): void;
  /** Called with text that has assignments, pasted into the field of a name. */
  onPasteFile?(text: string): void;
}

const ASSIGNMENT = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=/m;

/** Form for one variable: a new one, or another value of a stored one. */
export function VariableForm(props: VariableFormProps) {
  const { siteName, variables, edited, onSaved, onCancel, onPasteFile } = props;
  const say = useWords(words);
  const { language } = useLanguage();
  const change = useChangeVariables(siteName);
  const [name, setName] = useState(edited ?? '');
  const [value, setValue] = useState(edited === undefined ? '' : (variables[edited] ?? ''));
  const [isSent, setSent] = useState(false);
  const wrong = edited === undefined ? wrongName(name.trim(), variables) : undefined;
  const problem = change.error ? problemOf(change.error, language) : undefined;
  const isAboutValue = problem?.field !== undefined && problem.field === name.trim();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (change.isPending || wrong) return;
    change.mutate({ [name.trim()]: value }, { onSuccess: () => onSaved(name.trim()) });
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (!onPasteFile || !ASSIGNMENT.test(text)) return;
    event.preventDefault();
    onPasteFile(text);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {edited === undefined && (
          <TextInput
            label={say('name')}
            description={onPasteFile && say('nameAbout')}
            placeholder="DATABASE_URL"
            required
            autoFocus
            dir="ltr"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className={classes.code}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            onPaste={paste}
            error={isSent && wrong && say(wrong)}
          />
        )}
        <Textarea
          label={edited === undefined ? say('value') : say('valueOf', { name: edited })}
          autoFocus={edited !== undefined}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          minRows={1}
          maxRows={12}
          className={classes.code}
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          error={isAboutValue && problem.complaint}
        />
        {!isAboutValue && <ProblemNote error={change.error} />}
        <Group gap="sm">
          <Button type="submit" loading={change.isPending}>
            {say('save')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {say('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function wrongName(name: string, variables: Variables) {
  if (!VARIABLE_NAME.test(name)) return 'wrongName';
  if (SERVER_VARIABLES.includes(name)) return 'serverSets';
  return Object.hasOwn(variables, name) ? 'nameTaken' : undefined;
}
