/** What a build says in its log, to whoever owns the site. */
export const messages = {
  cacheCleared: (how: string): string => `The build cache ${how}; it was emptied.`,
} as const;
