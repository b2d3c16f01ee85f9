/** What a build says in its log, to whoever owns the site. */
export const messages = {
  node: (version: string): string => `Node.js ${version}`,
  cacheCleared: (how: string): string => `The build cache ${how}; it was emptied.`,
  /** `said`: what the program says of itself. */
  program: (name: string, said: string): string => `${name}: ${said}`,
  otherVersion: (language: string, version: string, by: string, has: string): string =>
    `${by} asks for ${language} ${version}; this machine has ${has}, which is used.`,
} as const;
