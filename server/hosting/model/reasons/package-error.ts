import { type Reason, reason } from './reason.ts';

/** Version of Node.js on which most packages that fail on newer versions still run. */
const EARLIER = 22;
/** Line with the version, which Node.js writes below an uncaught error. */
const VERSION = /^Node\.js v((\d+)\.\d+\.\d+)$/;
/** Place where an error was thrown: above its source line, or in a line of its stack. */
const PLACE = /^(?:\s+at (?:.* )?\(?)?((?:file:\/\/)?\/.+):\d+(?::\d+)?\)?$/;

/** Hint that a package may need an earlier Node.js, if an uncaught error was thrown inside a package. */
export function packageErrorIn(lines: readonly string[]): Reason | undefined {
  const last = lines.findLast((line) => VERSION.test(line)) ?? '';
  const [, version = '', major = 0] = VERSION.exec(last) ?? [];
  const [place = ''] = lines.flatMap((line) => PLACE.exec(line)?.[1] ?? []);
  if (Number(major) <= EARLIER || !place.includes('/node_modules/')) return undefined;
  return reason('error_in_package', { version, earlier: EARLIER });
}
