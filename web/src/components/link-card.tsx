import { Paper, type PaperProps, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './link-card.module.css';

interface LinkCardProps extends PaperProps {
  'data-status'?: string;
  children: ReactNode;
}

/** Card that leads to a page. Screen readers read the link in its heading; the whole card is clickable. */
export function LinkCard({ className = '', ...paper }: LinkCardProps) {
  return (
    <Paper
      className={`${classes.card} ${className}`}
      bg="var(--simcha-card)"
      withBorder
      radius="lg"
      p="md"
      {...paper}
    />
  );
}

interface CardGridProps {
  /** Maximum number of columns of the card grid. */
  columns?: 2 | 3;
  /** Cards of the grid, each in an `li`. */
  children: ReactNode;
}

export function CardGrid({ columns = 3, children }: CardGridProps) {
  const cols = columns === 2 ? { base: 1, xs: 2 } : { base: 1, sm: 2, lg: 3 };
  return (
    <SimpleGrid component="ul" cols={cols} spacing="md" className={classes.grid}>
      {children}
    </SimpleGrid>
  );
}
