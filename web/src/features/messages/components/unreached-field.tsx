import { Button, Group, Input, Skeleton, Text } from '@mantine/core';
import type { RoundGuest } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

interface UnreachedProps {
  unreached: RoundGuest[] | undefined;
  error: unknown;
  onRetry(): void;
  onClear(): void;
}

/** Shows an audience of guests whom another round did not reach, with a button to choose another audience. */
export function UnreachedField({ unreached, error, onRetry, onClear }: UnreachedProps) {
  const say = useWords(words);
  return (
    <Input.Wrapper label={say('to')} labelElement="div" size="md">
      {error ? <ProblemNote error={error} onRetry={onRetry} /> : null}
      {!unreached && !error && <Skeleton height={44} />}
      {unreached && (
        <Group justify="space-between" wrap="nowrap" mih={44}>
          <Text>{say('toUnreached', { n: unreached.length })}</Text>
          <Button variant="default" onClick={onClear} style={{ flex: 'none' }}>
            {say('chooseOthers')}
          </Button>
        </Group>
      )}
    </Input.Wrapper>
  );
}
