import { Stack, Text, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  /** Explains what will appear here and how to begin. */
  about: string;
  /** Button for the first step, for users who may take it. */
  children?: ReactNode;
  /** Level of the heading, below the headings above it. */
  order?: 1 | 2 | 3;
}

/** Placeholder for a list or page without content. */
export function EmptyState({ icon: Icon, title, about, children, order = 3 }: EmptyProps) {
  return (
    <Card h="100%">
      <Stack align="center" ta="center" py={48} gap="md">
        <Icon size={56} strokeWidth={1.4} color="var(--mantine-primary-color-filled)" aria-hidden />
        <Title order={order} size="h3">
          {title}
        </Title>
        <Text c="dimmed" maw={460}>
          {about}
        </Text>
        {children}
      </Stack>
    </Card>
  );
}
