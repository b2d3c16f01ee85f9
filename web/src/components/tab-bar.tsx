import { createLink } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import classes from './tab-bar.module.css';

interface TabBarProps {
  label: string;
  /** True if the bar is only for phones, because wide screens show the same links elsewhere. */
  isForPhone?: boolean;
  children: ReactNode;
}

/** Links between main pages: a bar at the bottom of a phone's screen, under the thumb; elsewhere a row of tabs. */
export function TabBar({ label, isForPhone = false, children }: TabBarProps) {
  return (
    <nav aria-label={label} className={classes.bar} data-tab-bar data-phone={isForPhone || undefined}>
      {children}
    </nav>
  );
}

interface TabProps extends ComponentProps<'a'> {
  icon: LucideIcon;
  isOpen: boolean;
  /** Number of items on the tab's page that wait for the user. */
  badge?: ReactNode;
}

export const Tab = createLink(({ icon: Icon, isOpen, badge, children, ...props }: TabProps) => (
  <a {...props} className={classes.tab} aria-current={isOpen ? 'true' : undefined}>
    <Icon className={classes.icon} size={22} aria-hidden />
    <span className={classes.label}>{children}</span>
    {badge}
  </a>
));
