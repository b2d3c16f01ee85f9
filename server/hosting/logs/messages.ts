/** What logs say of themselves. They are in English. */
export const messages = {
  leftOut: (lines: number): string => `… ${lines} ${lines === 1 ? 'line' : 'lines'} left out`,
} as const;
