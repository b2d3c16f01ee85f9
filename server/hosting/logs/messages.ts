/** Lines that logs contain about themselves, in English. */
export const messages = {
  leftOut: (lines: number): string => `… ${lines} ${lines === 1 ? 'line' : 'lines'} left out`,
} as const;
