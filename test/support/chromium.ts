import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/**
 * Chromium without a window system. It shows the same pages as the usual Chromium and needs half the processor time.
 */
export const CHROMIUM = { package: 'chromium-headless-shell', file: '/usr/bin/chromium-headless-shell' };

/** Starts Chromium without its sandbox, which root can't use; the caller closes it. */
export function launchChromium({ args = [], ...options }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ ...options, executablePath: CHROMIUM.file, args: ['--no-sandbox', ...args] });
}
