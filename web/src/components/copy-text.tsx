import { Button, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { useWords } from '../lib/language-context.tsx';
import { words } from './words.ts';

interface CopyTextProps {
  text: string;
  label: string;
  /** Style of the copy button: `subtle` makes it less prominent, for a place beside a better way to share the text. */
  variant?: 'default' | 'subtle';
}

/** Button that copies a text and confirms the copy in its own label. */
export function CopyText({ text, label, variant = 'default' }: CopyTextProps) {
  const say = useWords(words);
  const { copy, copied, error } = useClipboard({ timeout: 2_500 });
  return (
    <>
      <Button
        variant={variant}
        leftSection={copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
        onClick={() => copy(text)}
      >
        <span aria-live="polite">{copied ? say('copied') : label}</span>
      </Button>
      {error && (
        <Text size="sm" role="alert">
          {say('notCopied')}
        </Text>
      )}
    </>
  );
}
