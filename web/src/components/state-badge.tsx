import type { ReactNode } from 'react';
import type { CountedEvent } from 'simcha-client';
import { type Tone, ToneBadge } from './tone-badge.tsx';

const TONES: Readonly<Record<CountedEvent['status'], Tone>> = {
  draft: 'wait',
  published: 'good',
  completed: 'quiet',
  cancelled: 'bad',
};

/** Badge in the color of an event's state. */
export function StateBadge({ state, children }: { state: CountedEvent['status']; children: ReactNode }) {
  return <ToneBadge tone={TONES[state]}>{children}</ToneBadge>;
}
