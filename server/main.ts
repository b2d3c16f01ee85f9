import { setTimeout as sleep } from 'node:timers/promises';
import { compose } from './compose.ts';
import { ConfigError, environment, readConfig } from './kernel/config.ts';
import { createLogger } from './kernel/log.ts';

const SHUTDOWN_MS = 10_000;

try {
  await serve();
} catch (error) {
  if (!(error instanceof ConfigError) && !isListenError(error)) throw error;
  process.stderr.write(`Simcha can’t start: ${error.message}\n`);
  process.exit(1);
}

async function serve(): Promise<void> {
  const config = readConfig(environment(), process.stdout.isTTY);
  const log = createLogger(config);
  const simcha = await compose(config, log);

  let closing = false;
  const stop = async (signal: string) => {
    // Asked twice: whoever asks does not want to wait.
    if (closing) process.exit(1);
    closing = true;
    log.info(`${signal}: finishing what is under way`);
    const outcome = await Promise.race([simcha.close(), sleep(SHUTDOWN_MS, 'late' as const)]);
    if (outcome === 'late') log.warn(`still busy after ${SHUTDOWN_MS / 1000} s; stopping all the same`);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

  // An embedded database is there at once or never; a server may come later, and is waited for while we answer 503.
  const preparing = simcha.database.prepare();
  if (simcha.database.kind === 'embedded') await preparing;
  preparing.catch(() => {});
  await simcha.app.listen({
    host: config.host,
    port: config.port,
    listenTextResolver: (address) => `listening on ${address}`,
  });
  await simcha.listenForSites();
  await preparing;
  if (closing) return;
  log.info(`Simcha is ready: ${config.publicUrl}  (API reference: ${config.publicUrl}/docs)`);
}

function isListenError(error: unknown): error is Error {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'listen';
}
