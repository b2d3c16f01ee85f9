import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ClipboardPaste, KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useNotify } from '../../../components/notify.ts';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { PendingChanges } from '../../../components/pending-changes.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { processesQuery } from '../../site-processes/api/processes.ts';
import { hasPendingChanges, useApplyChanges } from '../../sites/api/pending-changes.ts';
import { hasRole } from '../../sites/api/roles.ts';
import { useSite } from '../../sites/api/sites.ts';
import { shownInSite, useChangeVariables, variablesQuery } from '../api/variables.ts';
import { LinkedGroups } from '../components/linked-groups.tsx';
import { PasteForm } from '../components/paste-form.tsx';
import { VariableForm } from '../components/variable-form.tsx';
import { VariableList } from '../components/variable-list.tsx';
import { VariableNames } from '../components/variable-names.tsx';
import { words } from '../words.ts';

/** Form above the list: none, one for a new variable, or one for a `.env` file with this text. */
type OpenForm = 'none' | 'new' | { file: string };

/** Page with the variables of a site; without their values for people who may not see them. */
export function Variables() {
  const { site } = useSite();
  return hasRole(site, 'administer') ? <ChangeableVariables /> : <VariableNames />;
}

function ChangeableVariables() {
  const say = useWords(words);
  const { name, site } = useSite();
  const notify = useNotify();
  const notifyWithUndo = useNotifyWithUndo();
  const { mutateAsync: save } = useChangeVariables(name);
  const apply = useApplyChanges(name);
  const [form, setForm] = useState<OpenForm>('none');
  const { data, error, refetch } = useQuery(variablesQuery(name));
  const variables = data?.variables.map(shownInSite);
  const close = () => setForm('none');
  const { data: running } = useQuery(processesQuery(name));
  // The variables of a static site are used by its build alone, so that a restart would not apply them.
  const hasProcesses = (running?.processes.length ?? 0) > 0;
  const isEmpty = variables !== undefined && variables.length === 0;
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
            variables={variables}
            save={save}
            onSaved={(saved) => {
              close();
              notify(say('saved', { name: saved }));
            }}
            onCancel={close}
            onPasteFile={(file) => setForm({ file })}
          />
        </Card>
      )}
      {variables && typeof form === 'object' && (
        <Card title={say('pasteFile')}>
          <PasteForm
            variables={variables}
            initial={form.file}
            save={save}
            onSaved={(n, undo) => {
              close();
              notifyWithUndo(say('savedMany', { n }), () => save(undo));
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
      {variables && !isEmpty && <VariableList fileName={name} variables={variables} save={save} />}
      {data && site.role === 'owner' && <LinkedGroups siteName={name} groups={data.groups} />}
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
