import { ActionIcon, CopyButton, Group, Text } from '@mantine/core';
import { Check, Copy, Eye, EyeOff, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import type { Variables } from '../api/env-file.ts';
import { words } from '../words.ts';
import { VariableForm } from './variable-form.tsx';
import classes from './variables.module.css';

/** Dots in place of a hidden value. Their number does not tell the value's length. */
const DOTS = '••••••••';

interface VariableRowProps {
  siteName: string;
  name: string;
  variables: Variables;
  isShown: boolean;
  onShow(isShown: boolean): void;
  onSaved(name: string): void;
  onDelete(): void;
}

/** Variable in the list: its name, its value once it is asked for, and the buttons that change it. */
export function VariableRow(props: VariableRowProps) {
  const { siteName, name, variables, isShown, onShow, onSaved, onDelete } = props;
  const say = useWords(words);
  const [isEdited, setEdited] = useState(false);
  const value = variables[name] ?? '';
  if (isEdited)
    return (
      <li className={classes.edited}>
        <VariableForm
          siteName={siteName}
          variables={variables}
          edited={name}
          onSaved={(saved) => {
            setEdited(false);
            onSaved(saved);
          }}
          onCancel={() => setEdited(false)}
        />
      </li>
    );
  return (
    <li className={classes.row}>
      <bdi dir="ltr" className={classes.name}>
        {name}
      </bdi>
      <div className={classes.value} dir="ltr">
        {!isShown && <span aria-hidden>{DOTS}</span>}
        {isShown && value === '' && (
          <Text span size="sm" c="dimmed" dir="auto">
            {say('emptyValue')}
          </Text>
        )}
        {isShown && value !== '' && <code className={classes.text}>{value}</code>}
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
        <CopyButton value={value} timeout={2_500}>
          {({ copied, copy }) => (
            <ActionIcon c="dimmed" aria-label={copied ? say('copied') : say('copy', { name })} onClick={copy}>
              {copied ? <Check size={20} aria-hidden /> : <Copy size={20} aria-hidden />}
            </ActionIcon>
          )}
        </CopyButton>
        <ActionIcon c="dimmed" aria-label={say('edit', { name })} onClick={() => setEdited(true)}>
          <Pencil size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon color="red" aria-label={say('delete', { name })} onClick={onDelete}>
          <Trash2 size={20} aria-hidden />
        </ActionIcon>
      </Group>
    </li>
  );
}
