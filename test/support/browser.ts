import { after } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from './chromium.ts';

let browser: Promise<Browser> | undefined;

after(async () => (await browser)?.close());

/**
 * Chromium that all tests of a process share (those of one folder). Each test opens contexts of its own and closes
 * them.
 */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launchChromium();
  return browser;
}
