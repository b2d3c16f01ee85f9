import { Badge, Button, Checkbox, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { type FormEvent, useMemo, useState } from 'react';
import type { SiteVariablesChanges } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { type Change, compareVariables, type Effect, type EnvFile, readEnvFile } from '../api/env-file.ts';
import { ownValues, restoringChanges, type ShownVariable } from '../api/variables.ts';
import { words } from '../words.ts';
import classes from './variables.module.css';

interface PasteFormProps {
  variables: readonly ShownVariable[];
  initial: string;
  save(changes: SiteVariablesChanges): Promise<unknown>;
  /** Called after the variables were saved, with the number of those that changed and what undoes the changes. */
  onSaved(count: number, undo: SiteVariablesChanges): void;
  onCancel(): void;
}

/** Form that takes a whole `.env` file, and shows what it would change before that is saved. */
export function PasteForm({ variables, initial, save, onSaved, onCancel }: PasteFormProps) {
  const say = useWords(words);
  const change = useMutation({ mutationFn: save });
  const [text, setText] = useState(initial);
  const [isWhole, setWhole] = useState(false);
  const file = useMemo(() => readEnvFile(text), [text]);
  const changes = compareVariables(ownValues(variables), file.variables, isWhole);
  const effective = changes.filter(({ effect }) => effect !== 'equal');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending || effective.length === 0) return;
    const names = effective.map(({ name }) => name);
    const body = Object.fromEntries(names.map((name) => [name, changeTo(file.variables.get(name))]));
    const undo = restoringChanges(variables, names);
    change.mutate(body, { onSuccess: () => onSaved(effective.length, undo) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Textarea
          label={say('envFile')}
          description={say('envFileAbout')}
          placeholder={'DATABASE_URL="postgres://…"\nAPI_KEY=…'}
          autoFocus
          dir="ltr"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          minRows={6}
          maxRows={16}
          className={classes.code}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Group gap="md">
          <FileButton
            onChange={async (chosen) => {
              if (chosen) setText(await chosen.text());
            }}
          >
            {(button) => (
              <Button {...button} variant="default" leftSection={<FileUp size={18} aria-hidden />}>
                {say('chooseFile')}
              </Button>
            )}
          </FileButton>
          <Checkbox
            label={say('whole')}
            description={say('wholeAbout')}
            checked={isWhole}
            onChange={({ currentTarget }) => setWhole(currentTarget.checked)}
          />
        </Group>
        {text.trim() !== '' && <ChangePreview file={file} changes={changes} />}
        <ProblemNote error={change.error} />
        <Group gap="sm">
          <Button type="submit" loading={change.isPending} disabled={effective.length === 0}>
            {effective.length === 0 ? say('save') : say('saveChanges', { n: effective.length })}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {say('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Change of a variable to a value; without one it is deleted. */
const changeTo = (value: string | undefined) => (value === undefined ? null : { value });

const EFFECTS: readonly Effect[] = ['added', 'changed', 'deleted', 'equal'];
const LOOKS: Readonly<Record<Effect, { bg: string; c: string }>> = {
  added: { bg: 'var(--simcha-good)', c: 'var(--simcha-good-ink)' },
  changed: { bg: 'var(--simcha-wait)', c: 'var(--simcha-wait-ink)' },
  deleted: { bg: 'var(--simcha-bad)', c: 'var(--simcha-bad-ink)' },
  equal: { bg: 'var(--mantine-color-default-border)', c: 'var(--mantine-color-text)' },
};

/** Effects of a `.env` file on the variables, and its lines that are left out. */
function ChangePreview({ file, changes }: { file: EnvFile; changes: readonly Change[] }) {
  const say = useWords(words);
  const counts = EFFECTS.map(
    (effect) => [effect, changes.filter((one) => one.effect === effect).length] as const,
  );
  const shown = counts.filter(([, count]) => count > 0);
  return (
    <div className={classes.preview}>
      <Text role="status" fw={500}>
        {shown.length === 0
          ? say('noVariables')
          : shown.map(([effect, n]) => say(`count_${effect}`, { n })).join(' · ')}
      </Text>
      {file.refused.length > 0 && (
        <div className={classes.refused}>
          <Text size="sm" fw={500} inherit>
            {say('refused', { n: file.refused.length })}
          </Text>
          <ul>
            {file.refused.map(({ line, problem }) => (
              <li key={`${line} ${problem}`}>{say('refusedLine', { line, why: say(problem) })}</li>
            ))}
          </ul>
        </div>
      )}
      {changes.length > 0 && (
        <ul className={classes.changes}>
          {changes.map(({ name, effect }) => (
            <li key={name}>
              <bdi dir="ltr" className={classes.name}>
                {name}
              </bdi>
              <Badge tt="none" fw={500} style={{ flex: 'none' }} {...LOOKS[effect]}>
                {say(`effect_${effect}`)}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
