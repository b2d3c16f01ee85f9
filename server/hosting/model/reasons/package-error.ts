import { type Reason, reason } from './reason.ts';

/** Packages that no newer version of Node.js can load most often still run on this one. */
const EARLIER = 22;
/** Node.js writes its version under an error that nobody caught. */
const VERSION = /^Node\.js v((\d+)\.\d+\.\d+)$/;
/** Where an error was thrown: above its source line, or in a line of its stack. */
const PLACE = /^(?:\s+at (?:.* )?\(?)?((?:file:\/\/)?\/.+):\d+(?::\d+)?\)?$/;

/** A hint that a package may need an earlier Node.js: where an error that nobody caught was thrown in one. */
export function packageErrorIn(lines: readonly string[]): Reason | undefined {
  const last = lines.findLast((line) => VERSION.test(line)) ?? '';
  const [, version = '', major = 0] = VERSION.exec(last) ?? [];
  const [place = ''] = lines.flatMap((line) => PLACE.exec(line)?.[1] ?? []);
  if (Number(major) <= EARLIER || !place.includes('/node_modules/')) return undefined;
  return reason('error_in_package', { version, earlier: EARLIER });
}
