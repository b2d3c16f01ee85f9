import { Button, Group, Skeleton } from '@mantine/core';
import { ClipboardPaste, KeyRound, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { SiteVariablesChanges } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useNotify } from '../../../components/notify.ts';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import type { ShownVariable } from '../api/variables.ts';
import { words } from '../words.ts';
import { PasteForm } from './paste-form.tsx';
import { VariableForm } from './variable-form.tsx';
import { VariableList } from './variable-list.tsx';

/** Form above the list: none, one for a new variable, or one for a `.env` file with this text. */
type OpenForm = 'none' | 'new' | { file: string };

interface VariableEditorProps {
  title: string;
  about: string;
  /** Name of the downloaded file. */
  fileName: string;
  /** Variables of the list; undefined while they are read. */
  variables: readonly ShownVariable[] | undefined;
  /** True if variables have only a value, without a scope and a value for previews. */
  haveOnlyValues?: boolean;
  error: unknown;
  onRetry(): void;
  save(changes: SiteVariablesChanges): Promise<unknown>;
  /** Note between the head and the list. */
  children?: ReactNode;
}

/** Head and list of the variables of a site or of a preview, with the forms that add to them. */
export function VariableEditor(props: VariableEditorProps) {
  const { title, about, fileName, variables, haveOnlyValues = false, error, onRetry, save, children } = props;
  const say = useWords(words);
  const notify = useNotify();
  const notifyWithUndo = useNotifyWithUndo();
  const [form, setForm] = useState<OpenForm>('none');
  const close = () => setForm('none');
  const isEmpty = variables?.length === 0;
  return (
    <>
      <PageHead order={2} title={title} about={about}>
        {form === 'none' && !isEmpty && <AddButtons onOpen={setForm} />}
      </PageHead>
      {children}
      <ProblemNote error={error} onRetry={onRetry} />
      {variables && form === 'new' && (
        <Card title={say('newVariable')}>
          <VariableForm
            variables={variables}
            hasOnlyValue={haveOnlyValues}
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
      {variables && !isEmpty && (
        <VariableList fileName={fileName} variables={variables} haveOnlyValues={haveOnlyValues} save={save} />
      )}
    </>
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
