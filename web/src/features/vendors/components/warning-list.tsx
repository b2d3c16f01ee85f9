import { Group, Stack, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { EventWarning } from 'simcha-client';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

/** List of the server's warnings about an event's bookings and payments. */
export function WarningList({ warnings }: { warnings: readonly EventWarning[] }) {
  const say = useWords(words);
  if (warnings.length === 0) return null;
  return (
    <Stack
      component="ul"
      gap={6}
      m={0}
      px="sm"
      py="xs"
      bg="var(--simcha-wait)"
      c="var(--simcha-wait-ink)"
      aria-label={say('warnings')}
      style={{ listStyle: 'none', borderRadius: 'var(--mantine-radius-md)' }}
    >
      {warnings.map(({ code, message }) => (
        <Group key={code + message} component="li" gap={8} wrap="nowrap" align="flex-start">
          <TriangleAlert size={18} style={{ flex: 'none', marginTop: 2 }} aria-hidden />
          <Text size="sm">{message}</Text>
        </Group>
      ))}
    </Stack>
  );
}
