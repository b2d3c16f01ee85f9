import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ClipboardPaste, Download, Eye, EyeOff, KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useNotify, useNotifyProblem } from '../../../components/notify.ts';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { PendingChanges } from '../../../components/pending-changes.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SearchInput } from '../../../components/search-input.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import { processesQuery } from '../../site-processes/api/processes.ts';
import { hasPendingChanges, useApplyChanges } from '../../sites/api/pending-changes.ts';
import { useSite } from '../../sites/api/sites.ts';
import { type Variables as VariableValues, writeEnvFile } from '../api/env-file.ts';
import { useChangeVariables, variablesQuery } from '../api/variables.ts';
import { PasteForm } from '../components/paste-form.tsx';
import { VariableForm } from '../components/variable-form.tsx';
import { VariableRow } from '../components/variable-row.tsx';
import classes from '../components/variables.module.css';
import { words } from '../words.ts';

/** Form above the list: none, one for a new variable, or one for a `.env` file with this text. */
type OpenForm = 'none' | 'new' | { file: string };

/** Page with the variables of a site. */
export function Variables() {
  const say = useWords(words);
  const { name, site } = useSite();
  const notify = useNotify();
  const notifyWithUndo = useNotifyWithUndo();
  const change = useChangeVariables(name);
  const apply = useApplyChanges(name);
  const [form, setForm] = useState<OpenForm>('none');
  const { data: variables, error, refetch } = useQuery(variablesQuery(name));
  const close = () => setForm('none');
  const save = (sentence: string) => {
    close();
    notify(sentence);
  };
  const { data: running } = useQuery(processesQuery(name));
  // The variables of a static site are used by its build alone, so that a restart would not apply them.
  const hasProcesses = (running?.processes.length ?? 0) > 0;
  const isEmpty = variables !== undefined && Object.keys(variables).length === 0;
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')} about={say('about')}>
        {form === 'none' && !isEmpty && <AddButtons onOpen={setForm} />}
      </PageHead>
      {hasPendingChanges(site) && (
        <PendingChanges
          about={say('pending')}
          {...apply}
          restart={hasProcesses ? apply.restart : undefined}
        />
      )}
      <ProblemNote error={error} onRetry={() => refetch()} />
      {variables && form === 'new' && (
        <Card title={say('newVariable')}>
          <VariableForm
            siteName={name}
            variables={variables}
            onSaved={(saved) => save(say('saved', { name: saved }))}
            onCancel={close}
            onPasteFile={(file) => setForm({ file })}
          />
        </Card>
      )}
      {variables && typeof form === 'object' && (
        <Card title={say('pasteFile')}>
          <PasteForm
            siteName={name}
            variables={variables}
            initial={form.file}
            onSaved={(n, undo) => {
              close();
              notifyWithUndo(say('savedMany', { n }), () => change.mutateAsync(undo));
            }}
            onCancel={close}
          />
        </Card>
      )}
      {isEmpty && form === 'none' && (
        <EmptyState icon={KeyRound} title={say('noneTitle')} about={say('none')}>
          <AddButtons onOpen={setForm} justify="center" />
        </EmptyState>
      )}
      {!variables && !error && <Skeleton height={200} radius="lg" />}
      {variables && !isEmpty && <VariableList siteName={name} variables={variables} />}
    </Stack>
  );
}

function AddButtons({ onOpen, justify }: { onOpen(form: OpenForm): void; justify?: 'center' }) {
  const say = useWords(words);
  return (
    <Group gap="sm" {...(justify && { justify })}>
      <Button
        variant="default"
        leftSection={<ClipboardPaste size={18} aria-hidden />}
        onClick={() => onOpen({ file: '' })}
      >
        {say('pasteFile')}
      </Button>
      <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => onOpen('new')}>
        {say('newVariable')}
      </Button>
    </Group>
  );
}

/** Number of variables from which on the list has a search field. */
const SEARCHED_FROM = 6;

function VariableList({ siteName, variables }: { siteName: string; variables: VariableValues }) {
  const say = useWords(words);
  const notify = useNotify();
  const notifyProblem = useNotifyProblem();
  const notifyWithUndo = useNotifyWithUndo();
  const change = useChangeVariables(siteName);
  const [q, setQ] = useState<string>();
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const names = Object.keys(variables).sort();
  const found = names.filter((name) => name.toLowerCase().includes((q ?? '').toLowerCase()));
  const areAllShown = names.every((name) => shown.has(name));

  const remove = (name: string) =>
    change.mutate(
      { [name]: null },
      {
        onSuccess: () =>
          notifyWithUndo(say('deleted', { name }), () =>
            change.mutateAsync({ [name]: variables[name] ?? '' }),
          ),
        onError: notifyProblem,
      },
    );
  const show = (name: string, isShown: boolean) => {
    const next = new Set(shown);
    if (isShown) next.add(name);
    else next.delete(name);
    setShown(next);
  };
  const download = () =>
    saveFile(new File([writeEnvFile(variables)], `${siteName}.env`, { type: 'text/plain' }));
  return (
    <Card aria-label={say('title')}>
      <Group gap="sm" pb="sm">
        {names.length >= SEARCHED_FROM && (
          <SearchInput label={say('search')} placeholder={say('search')} q={q} onSearchChange={setQ} />
        )}
        <Group gap="xs">
          <Button
            variant="subtle"
            px="sm"
            leftSection={areAllShown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
            onClick={() => setShown(new Set(areAllShown ? [] : names))}
          >
            {say(areAllShown ? 'hideAll' : 'showAll')}
          </Button>
          <Button
            variant="subtle"
            px="sm"
            leftSection={<Download size={18} aria-hidden />}
            onClick={download}
          >
            {say('download')}
          </Button>
        </Group>
      </Group>
      {found.length === 0 && (
        <Text c="dimmed" role="status">
          {say('noneFound')}
        </Text>
      )}
      <ul className={classes.list}>
        {found.map((name) => (
          <VariableRow
            key={name}
            siteName={siteName}
            name={name}
            variables={variables}
            isShown={shown.has(name)}
            onShow={(isShown) => show(name, isShown)}
            onSaved={() => notify(say('saved', { name }))}
            onDelete={() => remove(name)}
          />
        ))}
      </ul>
    </Card>
  );
}
