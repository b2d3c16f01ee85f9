import { ActionIcon, Code, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { useWords } from '../lib/language-context.tsx';
import classes from './copy-value.module.css';
import { words } from './words.ts';

interface CopyValueProps {
  /** Text that is shown and copied. */
  value: string;
  /** Name of the copy button for screen readers, such as "Copy value". */
  label: string;
}

/** Short text for another program, such as the value of a DNS record, with a button that copies it. */
export function CopyValue({ value, label }: CopyValueProps) {
  const say = useWords(words);
  const { copy, copied, error } = useClipboard({ timeout: 2_500 });
  return (
    <Group gap={4} wrap="nowrap" className={classes.row}>
      <Code className={classes.value} dir="ltr">
        {value}
      </Code>
      <ActionIcon
        aria-label={copied ? say('copied') : label}
        title={error ? say('notCopied') : label}
        color={copied ? 'green' : undefined}
        onClick={() => copy(value)}
      >
        <span aria-live="polite" className={classes.icon}>
          {copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
        </span>
      </ActionIcon>
    </Group>
  );
}
