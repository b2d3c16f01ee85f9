import { type ReactNode, useDeferredValue } from 'react';

/**
 * Part of a page that is rendered after the rest, in small steps between which the browser can react: what is below the
 * first screen.
 */
export function Later({ children }: { children: ReactNode }) {
  const isDue = useDeferredValue(true, false);
  return isDue && children;
}
