import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { newApplication, verifiedUser, versionSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { spawnReadyServer } from '../support/process.ts';
import { queryDatabase, temporaryDatabase } from '../support/server.ts';
import { until } from '../support/until.ts';

test('a deployment whose going live is committed, but not heard of, is live: its site answers', async () => {
  await using database = await temporaryDatabase('postgres');
  await using proxy = await openDatabaseProxy(database.env.DATABASE_URL ?? '');
  await using repository = await createRepository(versionSite('old'));
  const env = { ...database.env, DATABASE_URL: proxy.url, APPS_GIT_PROTOCOLS: 'file' };
  const server = await spawnReadyServer(env);
  try {
    const user = await verifiedUser(server.url, database.env.DATA_DIR);
    const app = await newApplication(user.call, server.url, repository.address);
    await app.deploy();
    await repository.commit(versionSite('new'));
    // The proxy knows a statement by its text, which goes over each connection once.
    await queryDatabase(
      database.env.DATABASE_URL ?? '',
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await until(async () => (await fetch(`${server.url}/readyz`)).ok);
    const lost = proxy.loseCommitOf("update deployments set status = 'live'");
    const id = await app.ask();
    await lost;
    await app.expect(id, 'live');
    await until(async () => (await app.visit()).text === 'new ');
    assert.equal((await app.call('GET')).body.status, 'live');
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});
