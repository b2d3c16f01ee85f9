import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/** Chromium without a window system. It shows the same pages and needs half of the processor's time. */
export const CHROMIUM = { package: 'chromium-headless-shell', file: '/usr/bin/chromium-headless-shell' };

/** Starts Chromium; the caller closes it. Tests run as root, where it has no sandbox. */
export function launchChromium({ args = [], ...options }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ ...options, executablePath: CHROMIUM.file, args: ['--no-sandbox', ...args] });
}
