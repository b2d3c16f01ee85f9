/** What a build says in its log, to whoever owns the site. */
export const messages = {
  node: (version: string): string => `Node.js ${version}`,
  cacheCleared: (how: string): string => `The build cache ${how}; it was emptied.`,
} as const;
