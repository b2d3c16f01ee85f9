import { Group, Text } from '@mantine/core';

/** Logo of Simcha: the star of the guests' pages, and the name, which is the same in all languages. */
export function Brand({ size = 28 }: { size?: number }) {
  return (
    <Group gap={10} wrap="nowrap">
      <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#9c2f5b" />
        <path d="M16 5l2.8 8.2L27 16l-8.2 2.8L16 27l-2.8-8.2L5 16l8.2-2.8z" fill="#fff" />
      </svg>
      <Text component="span" fw={600} fz={size * 0.75} lh={1} style={{ whiteSpace: 'nowrap' }}>
        Simcha
      </Text>
    </Group>
  );
}
