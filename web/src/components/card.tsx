import { Paper, type PaperProps, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Card with an optional heading. */
export function Card({ title, children, ...paper }: PaperProps & { title?: string; children: ReactNode }) {
  return (
    <Paper
      component="section"
      bg="var(--simcha-card)"
      withBorder
      radius="lg"
      p={{ base: 'md', sm: 'lg' }}
      aria-label={title}
      {...paper}
    >
      {title && (
        <Title order={2} size="h4" mb="md">
          {title}
        </Title>
      )}
      {children}
    </Paper>
  );
}
