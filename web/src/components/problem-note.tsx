import { Alert, Button, Stack, Text } from '@mantine/core';
import { CloudOff, TriangleAlert } from 'lucide-react';
import { useLanguage, useWords } from '../lib/language-context.tsx';
import { words } from '../lib/problem-words.ts';
import { problemOf } from '../lib/problems.ts';

/** Error message, which screen readers announce at once, with a button to try again if that may help. */
export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (!error) return null;
  const { sentence, requestId, isOffline } = problemOf(error, language);
  return (
    <Alert
      role="alert"
      color="var(--simcha-bad-ink)"
      bg="var(--simcha-bad)"
      c="var(--simcha-bad-ink)"
      icon={isOffline ? <CloudOff aria-hidden /> : <TriangleAlert aria-hidden />}
    >
      <Stack gap="xs" align="flex-start">
        <Text c="var(--simcha-bad-ink)">{sentence}</Text>
        {requestId && <Text size="sm">{say('quote', { id: requestId })}</Text>}
        {onRetry && (
          <Button variant="default" size="sm" onClick={onRetry}>
            {say('again')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
