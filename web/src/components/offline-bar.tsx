import { Box } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useWords } from '../lib/language-context.tsx';
import { words } from '../lib/problem-words.ts';

export function OfflineBar() {
  const say = useWords(words);
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Box role="status" bg="var(--simcha-wait)" c="var(--simcha-wait-ink)" px="md" py={6} ta="center" fz="sm">
      {say('offline')}
    </Box>
  );
}
