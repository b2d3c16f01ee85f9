import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';

let browser: Promise<Browser> | undefined;

after(async () => (await browser)?.close());

/** The one Chromium of a process, which is a folder's: each test has contexts of its own in it, and closes them. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  return browser;
}
