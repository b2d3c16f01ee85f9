import type { ReactNode } from 'react';
import classes from './section-links.module.css';

/** Row of links to the sections of an open group. */
export function SectionLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className={classes.sections}>
      {children}
    </nav>
  );
}
