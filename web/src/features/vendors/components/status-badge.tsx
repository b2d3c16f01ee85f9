import { Badge } from '@mantine/core';
import { useWords } from '../../../lib/language-context.tsx';
import type { BookingState } from '../api/search.ts';
import { words } from '../words.ts';

const LOOK: Readonly<Record<BookingState, { bg: string; c: string }>> = {
  pending: { bg: 'var(--simcha-wait)', c: 'var(--simcha-wait-ink)' },
  confirmed: { bg: 'var(--simcha-good)', c: 'var(--simcha-good-ink)' },
  cancelled: { bg: 'var(--mantine-color-default-border)', c: 'var(--mantine-color-text)' },
};

export function StatusBadge({ status }: { status: BookingState }) {
  const say = useWords(words);
  return (
    <Badge size="lg" tt="none" fw={500} style={{ flex: 'none' }} {...LOOK[status]}>
      {say(status)}
    </Badge>
  );
}
