import { Alert, Button, List, Skeleton, Stack, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { RoundPreview } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import { LeftOut } from './left-out.tsx';
import { Letters } from './letters.tsx';

interface PreviewProps {
  preview: RoundPreview | undefined;
  /** Error of the round's preview that belongs to no form field. */
  error: unknown;
  /** Hint about the form field that must be filled before a preview is possible. */
  hint: string | undefined;
  onRetry(): void;
  /** Leaves guests who were invited before out of the message. */
  onLeaveOutInvited(): void;
}

/** Preview of a round: who gets it and who does not, warnings, and the texts. */
export function Preview({ preview, error, hint, onRetry, onLeaveOutInvited }: PreviewProps) {
  const say = useWords(words);
  return (
    <Card title={say('preview')}>
      {hint ? (
        <Text c="dimmed">{hint}</Text>
      ) : error ? (
        <ProblemNote error={error} onRetry={onRetry} />
      ) : !preview ? (
        <Stack gap="sm" aria-busy="true">
          <Skeleton height={28} width="60%" />
          <Skeleton height={60} />
          <Skeleton height={420} radius="lg" />
        </Stack>
      ) : (
        <Stack gap="md">
          <div>
            <Text fz={24} fw={600} lh={1.25} aria-live="polite">
              {say('get', { n: preview.chosen })}
            </Text>
            {preview.send_at && (
              <Text size="sm" c="dimmed">
                {say('asOfNow')}
              </Text>
            )}
          </div>
          {preview.warnings.length > 0 && (
            <Alert
              role="status"
              color="var(--simcha-wait-ink)"
              bg="var(--simcha-wait)"
              c="var(--simcha-wait-ink)"
              icon={<TriangleAlert aria-hidden />}
            >
              <List spacing={6} listStyleType="none" c="var(--simcha-wait-ink)">
                {preview.warnings.map(({ code, message }) => (
                  <List.Item key={code}>
                    {message}
                    {code === 'invited_before' && (
                      <Button variant="default" display="block" mt={6} onClick={onLeaveOutInvited}>
                        {say('leaveOutInvited')}
                      </Button>
                    )}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          <LeftOut leftOut={preview.left_out} />
          <Letters letters={preview.letters} />
        </Stack>
      )}
    </Card>
  );
}
