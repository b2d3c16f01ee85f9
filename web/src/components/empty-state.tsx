import { Stack, Text, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  /** Text that explains what will appear on an empty page or list, and how to begin. */
  about: string;
  /** Button with which the user adds the first item; missing for users who may not add any. */
  children?: ReactNode;
  /** Level of the placeholder's heading (1 for h1), one below the heading above it on the page. */
  order?: 1 | 2 | 3;
}

/** Placeholder for an empty list or page. */
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
