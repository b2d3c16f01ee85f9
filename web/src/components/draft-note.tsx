import { Alert, Button, Group, Text } from '@mantine/core';
import { History } from 'lucide-react';
import { useWords } from '../lib/language-context.tsx';
import { words } from './words.ts';

/** Note above a form whose values were restored from a draft. */
export function DraftNote({ onStartOver }: { onStartOver(): void }) {
  const say = useWords(words);
  return (
    <Alert icon={<History aria-hidden />} color="gray" role="status">
      <Group justify="space-between">
        <Text>{say('kept')}</Text>
        <Button variant="default" size="sm" h={44} onClick={onStartOver}>
          {say('startOver')}
        </Button>
      </Group>
    </Alert>
  );
}
