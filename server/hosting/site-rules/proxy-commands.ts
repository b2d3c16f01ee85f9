/**
 * Names of headers that a front proxy takes as commands, such as nginx's to send one of the operator's files.
 * `X-Accel-Buffering` is not among them: it only says how the answer itself is passed on.
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

/** True if this name, in lower case, is a command for proxies. */
export function isProxyCommand(name: string): boolean {
  return COMMANDS.has(name);
}
