import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { composeSimcha } from '../../server/compose.ts';
import { readConfig } from '../../server/kernel/config.ts';

/** `/openapi.json` of a server that nobody started, with every setting as it comes. */
export async function readReference(): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-reference-'));
  const simcha = await composeSimcha(readConfig({ DATA_DIR: folder }), pino({ level: 'silent' }));
  try {
    await simcha.app.ready();
    return simcha.app.swagger();
  } finally {
    await simcha.close();
    await rm(folder, { recursive: true });
  }
}
