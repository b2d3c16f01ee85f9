import { basename } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { campaign } from '../support/campaign.ts';

/** Ways to look at the console: each direction, on a phone and on a desktop, light and dark. */
export const LOOKS = {
  phone: {
    locale: 'he-IL',
    viewport: { width: 390, height: 844 },
    colorScheme: 'light',
    hasTouch: true,
    timezoneId: 'Asia/Jerusalem',
  },
  desk: {
    locale: 'en-GB',
    viewport: { width: 1100, height: 800 },
    colorScheme: 'dark',
    timezoneId: 'America/New_York',
  },
  arabic: {
    locale: 'ar',
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    timezoneId: 'Asia/Jerusalem',
  },
} as const satisfies Record<string, BrowserContextOptions>;

export type Look = keyof typeof LOOKS;

/**
 * Looks in which the flows of a file are tested: a single one in `npm test`, which differs from file to file, and all
 * in `npm run test:long`, since the browser takes most of the time.
 */
export function looksOf<const L extends Look>(file: string, ...looks: L[]): L[] {
  const letters = [...basename(file)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return campaign(
    looks.filter((_, index) => index === letters % looks.length),
    looks,
  );
}
