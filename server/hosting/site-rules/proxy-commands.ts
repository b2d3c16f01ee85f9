/**
 * Headers that a proxy in front takes as orders, such as nginx's to send a file of the operator's. `X-Accel-Buffering` is none
 * of them: it says how the answer itself is passed on.
 */
const COMMANDS = new Set([
  'x-accel-redirect',
  'x-lighttpd-send-file',
  'x-lighttpd-send-tempfile',
  'x-reproxy-file',
  'x-reproxy-url',
  'x-sendfile',
  'x-sendfile2',
  'x-sendfile-temporary',
]);

/** By its name in lower case. */
export function isProxyCommand(name: string): boolean {
  return COMMANDS.has(name);
}
