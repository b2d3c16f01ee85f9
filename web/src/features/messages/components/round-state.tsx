import { Badge } from '@mantine/core';
import type { Round } from 'simcha-client';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

const LOOK: Readonly<Record<Round['state'], { bg: string; c: string }>> = {
  scheduled: { bg: 'var(--simcha-wait)', c: 'var(--simcha-wait-ink)' },
  sending: { bg: 'var(--simcha-wait)', c: 'var(--simcha-wait-ink)' },
  sent: { bg: 'var(--simcha-good)', c: 'var(--simcha-good-ink)' },
  called_off: { bg: 'var(--mantine-color-default-border)', c: 'var(--mantine-color-text)' },
};

export function RoundState({ state }: { state: Round['state'] }) {
  const say = useWords(words);
  const { bg, c } = LOOK[state];
  return (
    <Badge size="lg" tt="none" fw={500} bg={bg} c={c} style={{ flex: 'none' }}>
      {say(`state_${state}`)}
    </Badge>
  );
}
