/**
 * Signal of the first Ctrl+C (or SIGTERM), with which a command stops following and says what goes on; a second Ctrl+C
 * ends the process at once.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  return controller.signal;
}
