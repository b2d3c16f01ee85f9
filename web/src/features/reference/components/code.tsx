import { Button, Group, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import classes from './reference.module.css';

/** Block of code with a button to copy it. */
export function Code({ title, children }: { title: string; children: string }) {
  const say = useWords(words);
  const clipboard = useClipboard();
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={clipboard.copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          onClick={() => clipboard.copy(children)}
        >
          <span aria-live="polite">{say(clipboard.copied ? 'copied' : 'copy')}</span>
        </Button>
      </Group>
      <pre className={classes.code} dir="ltr">
        {children}
      </pre>
    </div>
  );
}
