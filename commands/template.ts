import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { embeddedDatabase } from '../server/kernel/database/embedded.ts';
import { templatePath, writeTemplate } from '../server/kernel/database/template.ts';
import { prepareJobs } from '../server/kernel/jobs.ts';
import { createLogger } from '../server/kernel/log.ts';
import { migrations } from '../server/migrations/migrations.ts';

// Makes the template of the embedded database (`npm run build`), of which a server's first start makes its own. An
// optional argument names another output folder than `dist`.

const path = await templatePath(process.argv[2]);
const folder = await mkdtemp(join(tmpdir(), 'simcha-template-'));
try {
  const log = createLogger({ logLevel: 'warn', logFormat: 'json' });
  const database = embeddedDatabase(folder, migrations, log);
  await database.prepare();
  await prepareJobs({ databaseUrl: undefined }, database, log);
  await database.close();
  await mkdir(dirname(path), { recursive: true });
  await writeTemplate(join(folder, 'database'), path);
} finally {
  await rm(folder, { recursive: true, force: true });
}
