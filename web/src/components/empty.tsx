import { Stack, Text, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  /** What there will be, and how it begins. */
  about: string;
  /** The one thing to do, for who may. */
  children?: ReactNode;
  /** Of its heading, below those that stand above it. */
  order?: 1 | 2 | 3;
}

/** In the place of what is not there yet. */
export function Empty({ icon: Icon, title, about, children, order = 3 }: EmptyProps) {
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
