import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { Progress as Sent } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../import-words.ts';

interface ImportProgressProps {
  sent: Sent | undefined;
  /** Work of the server after the upload: reading the file, or importing the guests. */
  then: 'reading' | 'taking';
  onCancel(): void;
}

/** Progress of an import's upload, with a button to cancel it. */
export function ImportProgress({ sent, then, onCancel }: ImportProgressProps) {
  const say = useWords(words);
  const percent = sent && sent.total > 0 ? Math.floor((sent.sent / sent.total) * 100) : 0;
  const isSent = percent === 100;
  return (
    <Card>
      <Stack gap="md">
        <Text role="status">{isSent ? say(then) : say('uploading', { percent })}</Text>
        <Progress value={percent} animated={isSent} size="lg" radius="xl" aria-label={say('progress')} />
        {/* Writing can't be cancelled, but undone afterwards. */}
        {!(isSent && then === 'taking') && (
          <Group>
            <Button variant="default" onClick={onCancel}>
              {say('cancel')}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}
