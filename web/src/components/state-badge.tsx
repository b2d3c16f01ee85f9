import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CountedEvent } from 'simcha-client';

const LOOK: Readonly<Record<CountedEvent['status'], { bg: string; c: string }>> = {
  draft: { bg: 'var(--simcha-wait)', c: 'var(--simcha-wait-ink)' },
  published: { bg: 'var(--simcha-good)', c: 'var(--simcha-good-ink)' },
  completed: { bg: 'var(--mantine-color-default-border)', c: 'var(--mantine-color-text)' },
  cancelled: { bg: 'var(--simcha-bad)', c: 'var(--simcha-bad-ink)' },
};

/** Badge in the color of an event's state. */
export function StateBadge({ state, children }: { state: CountedEvent['status']; children: ReactNode }) {
  const { bg, c } = LOOK[state];
  return (
    <Badge size="lg" tt="none" fw={500} bg={bg} c={c} style={{ flex: 'none' }}>
      {children}
    </Badge>
  );
}
