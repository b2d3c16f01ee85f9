import { Button, Group, Text } from '@mantine/core';
import { Download, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { SiteVariablesChanges } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { useNotify, useNotifyProblem } from '../../../components/notify.ts';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { SearchInput } from '../../../components/search-input.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import { writeEnvFile } from '../api/env-file.ts';
import { ownValues, restoringChanges, type ShownVariable } from '../api/variables.ts';
import { words } from '../words.ts';
import { VariableRow } from './variable-row.tsx';
import classes from './variables.module.css';

/** Number of variables from which on the list has a search field. */
const SEARCHED_FROM = 6;

interface VariableListProps {
  /** Name of the downloaded file. */
  fileName: string;
  variables: readonly ShownVariable[];
  /** True if the variables have only a value, without a scope and a value for previews. */
  haveOnlyValues?: boolean;
  save(changes: SiteVariablesChanges): Promise<unknown>;
}

/** List of the variables of a site, a preview or a group, with hidden values. */
export function VariableList({ fileName, variables, haveOnlyValues = false, save }: VariableListProps) {
  const say = useWords(words);
  const notify = useNotify();
  const notifyProblem = useNotifyProblem();
  const notifyWithUndo = useNotifyWithUndo();
  const [q, setQ] = useState<string>();
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const found = variables.filter(({ name }) => name.toLowerCase().includes((q ?? '').toLowerCase()));
  const areAllShown = variables.every(({ name }) => shown.has(name));

  const remove = async (name: string) => {
    const undo = restoringChanges(variables, [name]);
    try {
      await save({ [name]: null });
      notifyWithUndo(say('deleted', { name }), () => save(undo));
    } catch (error) {
      notifyProblem(error);
    }
  };
  const show = (name: string, isShown: boolean) => {
    const next = new Set(shown);
    if (isShown) next.add(name);
    else next.delete(name);
    setShown(next);
  };
  const download = () =>
    saveFile(new File([writeEnvFile(ownValues(variables))], `${fileName}.env`, { type: 'text/plain' }));
  return (
    <Card aria-label={say('title')}>
      <Group gap="sm" pb="sm">
        {variables.length >= SEARCHED_FROM && (
          <SearchInput label={say('search')} placeholder={say('search')} q={q} onSearchChange={setQ} />
        )}
        <Group gap="xs">
          <Button
            variant="subtle"
            px="sm"
            leftSection={areAllShown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
            onClick={() => setShown(new Set(areAllShown ? [] : variables.map(({ name }) => name)))}
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
        {found.map((variable) => (
          <VariableRow
            key={variable.name}
            variable={variable}
            variables={variables}
            hasOnlyValue={haveOnlyValues}
            isShown={shown.has(variable.name)}
            onShow={(isShown) => show(variable.name, isShown)}
            save={save}
            onSaved={(name) => notify(say('saved', { name }))}
            onDelete={() => remove(variable.name)}
          />
        ))}
      </ul>
    </Card>
  );
}
