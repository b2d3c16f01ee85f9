import { ActionIcon, Badge, CopyButton, Group, Text } from '@mantine/core';
import { Check, Copy, Eye, EyeOff, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SiteVariablesChanges } from 'simcha-client';
import { useWords } from '../../../lib/language-context.tsx';
import type { ShownVariable } from '../api/variables.ts';
import { words } from '../words.ts';
import { VariableForm } from './variable-form.tsx';
import classes from './variables.module.css';

/** Dots in place of a hidden value. Their number does not tell the value's length. */
const DOTS = '••••••••';

interface VariableRowProps {
  variable: ShownVariable;
  variables: readonly ShownVariable[];
  hasOnlyValue: boolean;
  isShown: boolean;
  onShow(isShown: boolean): void;
  save(changes: SiteVariablesChanges): Promise<unknown>;
  onSaved(name: string): void;
  onDelete(): void;
}

/** Variable in the list: its name, who gets it, its value once it is asked for, and the buttons that change it. */
export function VariableRow(props: VariableRowProps) {
  const { variable, variables, hasOnlyValue, isShown, onShow, save, onSaved, onDelete } = props;
  const { name, value, previewValue, own } = variable;
  const say = useWords(words);
  const [isEdited, setEdited] = useState(false);
  if (isEdited)
    return (
      <li className={classes.edited}>
        <VariableForm
          variables={variables}
          edited={variable}
          hasOnlyValue={hasOnlyValue}
          save={save}
          onSaved={(saved) => {
            setEdited(false);
            onSaved(saved);
          }}
          onCancel={() => setEdited(false)}
        />
      </li>
    );
  const hasOtherPreviewValue = previewValue !== null && previewValue !== value;
  return (
    <li className={classes.row}>
      <div className={classes.head}>
        <bdi dir="ltr" className={classes.name}>
          {name}
        </bdi>
      </div>
      <Facts variable={variable} />
      <div className={classes.value}>
        <Value value={value} isShown={isShown} />
        {isShown && hasOtherPreviewValue && (
          <div>
            <Text size="sm" c="dimmed" mt={6}>
              {say('previewValue')}
            </Text>
            <Value value={previewValue} isShown />
          </div>
        )}
      </div>
      <Group gap={0} wrap="nowrap" className={classes.buttons}>
        <ActionIcon
          aria-label={say(isShown ? 'hide' : 'show', { name })}
          aria-pressed={isShown}
          c="dimmed"
          onClick={() => onShow(!isShown)}
        >
          {isShown ? <EyeOff size={20} aria-hidden /> : <Eye size={20} aria-hidden />}
        </ActionIcon>
        <CopyButton value={value ?? previewValue ?? ''} timeout={2_500}>
          {({ copied, copy }) => (
            <ActionIcon c="dimmed" aria-label={copied ? say('copied') : say('copy', { name })} onClick={copy}>
              {copied ? <Check size={20} aria-hidden /> : <Copy size={20} aria-hidden />}
            </ActionIcon>
          )}
        </CopyButton>
        <ActionIcon c="dimmed" aria-label={say('edit', { name })} onClick={() => setEdited(true)}>
          <Pencil size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon
          color="red"
          aria-label={say('delete', { name })}
          onClick={onDelete}
          disabled={own === null}
          // A variable is deleted where it was set: in the group, or for a preview in the site.
          style={own === null ? { visibility: 'hidden' } : {}}
        >
          <Trash2 size={20} aria-hidden />
        </ActionIcon>
      </Group>
    </li>
  );
}

function Value({ value, isShown }: { value: string | null; isShown: boolean }) {
  const say = useWords(words);
  if (value === null) return <Text size="sm">{say('notInProduction')}</Text>;
  if (!isShown)
    return (
      <span dir="ltr" aria-hidden>
        {DOTS}
      </span>
    );
  if (value === '') return <Text size="sm">{say('emptyValue')}</Text>;
  return (
    <code className={classes.text} dir="ltr">
      {value}
    </code>
  );
}

/** Facts about a variable that differ from the usual: who gets it, and from where. */
function Facts({ variable: { scope, value, previewValue, group, origin } }: { variable: ShownVariable }) {
  const say = useWords(words);
  const facts = [
    ...(scope === 'all' ? [] : [say(`scope_${scope}`)]),
    ...(previewValue === null ? [say('notInPreviews')] : []),
    ...(previewValue !== null && previewValue !== value ? [say('otherInPreviews')] : []),
    ...(group === null ? [] : [say('fromGroup', { group })]),
    ...(origin === undefined || origin === 'group' ? [] : [say(`origin_${origin}`)]),
  ];
  return (
    <div className={classes.facts}>
      {facts.map((fact) => (
        <Badge
          key={fact}
          tt="none"
          fw={500}
          bg="var(--mantine-color-default-border)"
          c="var(--mantine-color-text)"
        >
          {fact}
        </Badge>
      ))}
    </div>
  );
}
