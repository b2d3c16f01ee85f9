import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

/** Meaning of a state: `good` and `bad` for how something ended, `wait` for work under way, `quiet` for the rest. */
export type Tone = 'good' | 'wait' | 'bad' | 'quiet';

const LOOK: Readonly<Record<Tone, { bg: string; c: string }>> = {
  good: { bg: 'var(--simcha-good)', c: 'var(--simcha-good-ink)' },
  wait: { bg: 'var(--simcha-wait)', c: 'var(--simcha-wait-ink)' },
  bad: { bg: 'var(--simcha-bad)', c: 'var(--simcha-bad-ink)' },
  quiet: { bg: 'var(--mantine-color-default-border)', c: 'var(--mantine-color-text)' },
};

/** Badge in the color of a state's tone. */
export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  const { bg, c } = LOOK[tone];
  return (
    <Badge size="lg" tt="none" fw={500} bg={bg} c={c} style={{ flex: 'none' }}>
      {children}
    </Badge>
  );
}
