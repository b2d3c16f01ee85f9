import { Button, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ClipboardEvent, type FormEvent, useState } from 'react';
import type { SiteVariable, SiteVariablesChanges } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { SERVER_VARIABLES, VARIABLE_NAME } from '../api/env-file.ts';
import type { ShownVariable } from '../api/variables.ts';
import { words } from '../words.ts';
import classes from './variables.module.css';

interface VariableFormProps {
  variables: readonly ShownVariable[];
  /** Variable that is changed; undefined for a new one. */
  edited?: ShownVariable;
  /** True if the variable has only a value, without a scope and a value for previews. */
  hasOnlyValue?: boolean;
  save(changes: SiteVariablesChanges): Promise<unknown>;
  onSaved(name: string): void;
  onCancel(): void;
  /** Called with text that has assignments, pasted into the field of a name. */
  onPasteFile?(text: string): void;
}

const ASSIGNMENT = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=/m;
const SCOPES: readonly SiteVariable['scope'][] = ['all', 'build', 'run'];
/** What previews get: production's value, another one, or no such variable. */
const IN_PREVIEWS = ['same', 'other', 'none'] as const;
type InPreviews = (typeof IN_PREVIEWS)[number];

/** Values in the form. */
interface Draft {
  name: string;
  value: string;
  scope: SiteVariable['scope'];
  inPreviews: InPreviews;
  previewValue: string;
}

/** Form for one variable: a new one, or other settings of a stored one. */
export function VariableForm(props: VariableFormProps) {
  const { variables, edited, hasOnlyValue = false, save, onSaved, onCancel, onPasteFile } = props;
  const say = useWords(words);
  const { language } = useLanguage();
  const [draft, setDraft] = useState(() => draftOf(edited));
  const [isSent, setSent] = useState(false);
  const change = useMutation({ mutationFn: save });
  const name = draft.name.trim();
  const set = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed });
  const wrong = edited === undefined ? wrongName(name, variables) : undefined;
  const problem = change.error ? problemOf(change.error, language) : undefined;
  const isAboutValue = problem?.field === name || problem?.field === `${name}.value`;
  const isAboutPreviews = problem?.field === `${name}.preview_value`;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (change.isPending || wrong) return;
    change.mutate({ [name]: changeOf(draft, edited) }, { onSuccess: () => onSaved(name) });
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
            {...CODE}
            value={draft.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            onPaste={paste}
            error={isSent && wrong && say(wrong)}
          />
        )}
        <ValueInput
          label={edited === undefined ? say('value') : say('valueOf', { name: edited.name })}
          autoFocus={edited !== undefined}
          value={draft.value}
          onValueChange={(value) => set({ value })}
          error={isAboutValue && problem?.complaint}
        />
        {!hasOnlyValue && (
          <RecipientFields draft={draft} set={set} previewError={isAboutPreviews && problem?.complaint} />
        )}
        {!isAboutValue && !isAboutPreviews && <ProblemNote error={change.error} />}
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

interface RecipientFieldsProps {
  draft: Draft;
  previewError: string | false | undefined;
  set(changed: Partial<Draft>): void;
}

/** Fields that say who gets the variable, and what previews get. */
function RecipientFields({ draft, previewError, set }: RecipientFieldsProps) {
  const say = useWords(words);
  return (
    <>
      <Radio.Group
        label={say('scope')}
        value={draft.scope}
        onChange={(scope) => set({ scope: scope as Draft['scope'] })}
      >
        <Group gap="md" mt={6}>
          {SCOPES.map((scope) => (
            <Radio key={scope} value={scope} label={say(`scope_${scope}`)} />
          ))}
        </Group>
      </Radio.Group>
      <Radio.Group
        label={say('inPreviews')}
        value={draft.inPreviews}
        onChange={(inPreviews) => set({ inPreviews: inPreviews as InPreviews })}
      >
        <Group gap="md" mt={6}>
          {IN_PREVIEWS.map((one) => (
            <Radio key={one} value={one} label={say(`inPreviews_${one}`)} />
          ))}
        </Group>
      </Radio.Group>
      {draft.inPreviews === 'other' && (
        <ValueInput
          label={say('previewValue')}
          value={draft.previewValue}
          onValueChange={(previewValue) => set({ previewValue })}
          error={previewError}
        />
      )}
    </>
  );
}

const CODE = {
  dir: 'ltr',
  autoComplete: 'off',
  autoCapitalize: 'off',
  spellCheck: false,
  className: classes.code ?? '',
} as const;

interface ValueInputProps {
  label: string;
  value: string;
  autoFocus?: boolean;
  error: string | false | undefined;
  onValueChange(value: string): void;
}

function ValueInput({ label, value, autoFocus = false, error, onValueChange }: ValueInputProps) {
  return (
    <Textarea
      label={label}
      autoFocus={autoFocus}
      {...CODE}
      minRows={1}
      maxRows={12}
      value={value}
      onChange={({ currentTarget }) => onValueChange(currentTarget.value)}
      error={error}
    />
  );
}

function draftOf(edited: ShownVariable | undefined): Draft {
  const own = edited?.own;
  return {
    name: edited?.name ?? '',
    value: edited?.value ?? '',
    scope: edited?.scope ?? 'all',
    inPreviews:
      own?.in_previews === false ? 'none' : typeof own?.preview_value === 'string' ? 'other' : 'same',
    previewValue: own?.preview_value ?? '',
  };
}

/** Change of the variable. Fields that the user left as they were keep what a linked group sets. */
function changeOf({ value, scope, inPreviews, previewValue }: Draft, edited: ShownVariable | undefined) {
  const isUnset = edited?.own?.value === null && value === (edited.value ?? '');
  return {
    ...(!isUnset && { value }),
    ...(scope !== (edited?.scope ?? 'all') && { scope }),
    in_previews: inPreviews !== 'none',
    preview_value: inPreviews === 'other' ? previewValue : null,
  };
}

function wrongName(name: string, variables: readonly ShownVariable[]) {
  if (!VARIABLE_NAME.test(name)) return 'wrongName';
  if (SERVER_VARIABLES.includes(name)) return 'serverSets';
  return variables.some((one) => one.name === name) ? 'nameTaken' : undefined;
}
