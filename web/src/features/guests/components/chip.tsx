import type { ReactNode } from 'react';
import classes from './list.module.css';

/** Toggle button for one of several filters. */
export function Chip(props: { isOn: boolean; title?: string; onToggle(): void; children: ReactNode }) {
  const { isOn, title, onToggle, children } = props;
  return (
    <button type="button" className={classes.chip} aria-pressed={isOn} title={title} onClick={onToggle}>
      {children}
    </button>
  );
}
