import { ConfigError } from '../server/kernel/config.ts';

// Imported first by each command: a mistake in the settings or the options is one sentence, not a stack.

process.on('uncaughtException', (error: Error & { code?: string }) => {
  const isMistake = error instanceof ConfigError || error.code?.startsWith('ERR_PARSE_ARGS');
  console.error(isMistake ? error.message : error);
  process.exit(1);
});
