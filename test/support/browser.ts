import { after } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from './chromium.ts';

let browser: Promise<Browser> | undefined;

after(async () => (await browser)?.close());

/** The one Chromium of a process, which is a folder's: each test has contexts of its own in it, and closes them. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launchChromium();
  return browser;
}
