import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useWords } from '../lib/language-context.tsx';
import { words } from '../lib/problem-words.ts';

/** Placeholder for a loading page, so that its contents do not jump when they appear. */
export function LoadingSkeleton() {
  const say = useWords(words);
  return (
    <Stack aria-busy="true" gap="md" py="lg">
      <VisuallyHidden role="status">{say('loading')}</VisuallyHidden>
      <Skeleton height={32} width="45%" />
      {['first', 'second', 'third'].map((sheet) => (
        <Skeleton key={sheet} height={88} radius="lg" />
      ))}
    </Stack>
  );
}
