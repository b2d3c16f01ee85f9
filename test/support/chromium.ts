import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/** Chromium without windows to draw: the same pages for half of the processor's time. */
export const CHROMIUM = { package: 'chromium-headless-shell', file: '/usr/bin/chromium-headless-shell' };

/** Whoever asks closes it. Tests run as root, where it has no sandbox. */
export function launchChromium({ args = [], ...options }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ ...options, executablePath: CHROMIUM.file, args: ['--no-sandbox', ...args] });
}
