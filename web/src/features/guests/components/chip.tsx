import type { ReactNode } from 'react';
import classes from './list.module.css';

/** Button that switches one of several filters of a list on or off. */
export function Chip(props: { isOn: boolean; title?: string; onToggle(): void; children: ReactNode }) {
  const { isOn, title, onToggle, children } = props;
  return (
    <button type="button" className={classes.chip} aria-pressed={isOn} title={title} onClick={onToggle}>
      {children}
    </button>
  );
}
