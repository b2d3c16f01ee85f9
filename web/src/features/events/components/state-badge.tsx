import { Badge } from '@mantine/core';
import { useWords } from '../../../lib/language-context.tsx';
import type { EventState } from '../api/search.ts';
import { words } from '../words.ts';

const LOOK: Readonly<Record<EventState, { bg: string; c: string }>> = {
  draft: { bg: 'var(--simcha-wait)', c: 'var(--simcha-wait-ink)' },
  published: { bg: 'var(--simcha-good)', c: 'var(--simcha-good-ink)' },
  completed: { bg: 'var(--mantine-color-default-border)', c: 'var(--mantine-color-text)' },
  cancelled: { bg: 'var(--simcha-bad)', c: 'var(--simcha-bad-ink)' },
};

export function StateBadge({ state }: { state: EventState }) {
  const say = useWords(words);
  const { bg, c } = LOOK[state];
  return (
    <Badge size="lg" tt="none" fw={500} bg={bg} c={c} style={{ flex: 'none' }}>
      {say(state)}
    </Badge>
  );
}
