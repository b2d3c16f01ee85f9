import { ConfigError } from '../server/kernel/config.ts';

// Module that each command imports first: a mistake in the settings or options then prints one sentence instead of a
// stack trace.

process.on('uncaughtException', (error: Error & { code?: string }) => {
  const isMistake = error instanceof ConfigError || error.code?.startsWith('ERR_PARSE_ARGS');
  console.error(isMistake ? error.message : error);
  process.exit(1);
});
