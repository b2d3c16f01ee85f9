import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../../support/client.ts';
import { newApplication, verifiedUser, visitSite } from '../../support/deployed.ts';
import { fillDisk, fillInodes, folderOnDisk } from '../../support/disk.ts';
import { createRepository } from '../../support/git.ts';
import { spawnReadyServer, spawnServer } from '../../support/process.ts';
import { BOTH_DATABASES, postgresDatabase, preparedFolder, SECRET } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const SETTINGS = { JWT_SECRET: SECRET, APPS_GIT_PROTOCOLS: 'file' };
const skip = process.getuid?.() !== 0 && 'only root can mount a disk';

/** A site that tells whether it can write into its own folder. */
const WRITING_SITE = {
  'package.json': '{"scripts":{"start":"node server.js"}}',
  'server.js': `
const { writeFileSync } = require('node:fs');
require('node:http').createServer((request, response) => {
  try {
    writeFileSync('./written', 'x'.repeat(10_000));
    response.end('written');
  } catch (error) {
    response.end(error.code);
  }
}).listen(process.env.PORT, process.env.HOST);
`,
};

// With PostgreSQL the sites are started while the disk is full, else once there is room for the database.
for (const kind of BOTH_DATABASES) {
  for (const lacking of ['bytes', 'inodes'] as const) {
    test(`a site writes into its folder again, though its server was started without ${lacking} (${kind})`, {
      skip,
    }, async () => {
      await using disk = await folderOnDisk('size=200m,nr_inodes=3000');
      const { folder } = disk;
      const database = kind === 'postgres' ? await postgresDatabase('simcha_template') : undefined;
      if (!database) await preparedFolder(folder);
      const env = { ...SETTINGS, DATA_DIR: folder, ...(database && { DATABASE_URL: database.url }) };
      await using repository = await createRepository(WRITING_SITE);
      let server = await spawnReadyServer(env);
      try {
        const user = await verifiedUser(server.url, folder);
        const app = await newApplication(user.call, server.url, repository.address);
        await app.deploy();
        assert.equal((await app.visit()).text, 'written');
        server.child.kill('SIGKILL');
        await server.ended;

        // The next start would make room by removing these.
        for (const name of ['sites/layers', 'reserve'])
          await rm(join(folder, name), { recursive: true, force: true });
        const filler = join(folder, 'filler');
        await (lacking === 'bytes' ? fillDisk(filler) : fillInodes(filler));
        server = await spawnServer(env);
        assert.equal((await createClient(server.url)('GET', '/healthz')).status, 200, server.output());
        if (kind === 'postgres') {
          await until(() => server.output().includes('could not be tried out'));
          // A disk without bytes lets a site start, and one without inodes does not.
          await until(async () => {
            const { status, text } = await visitSite(server.url, app.host);
            return status === 502 || text === 'ENOSPC';
          });
        }

        await rm(filler, { recursive: true });
        const text = () => visitSite(server.url, app.host).then((answer) => answer.text);
        await until(async () => (await text()) === 'written', 60_000);
        await until(() => server.output().includes('could not be tried out'));
        assert.doesNotMatch(server.output(), /read-only/);
      } finally {
        server.child.kill('SIGKILL');
        await server.ended;
        await database?.drop();
      }
    });
  }
}
