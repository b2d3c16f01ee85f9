import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Budgets } from '../../server/hosting/budgets/store.ts';
import { createRecords } from '../../server/hosting/controller/records/records.ts';
import type { SiteRow } from '../../server/hosting/model/deployment-rows.ts';
import { reason } from '../../server/hosting/model/reasons/reason.ts';
import { OwnerMails } from '../../server/hosting/owner-mails/owner-mails.ts';
import { readConfig } from '../../server/kernel/config.ts';
import type { NewMail } from '../../server/kernel/mail/message.ts';
import { SITE_KINDS } from '../../server/webhooks/kinds.ts';
import { newAddress, newApplication, verifiedUser } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { mailTo } from '../support/outbox.ts';
import { writeServing } from '../support/placed-site.ts';
import { DATABASES, type DatabaseKind, startServer } from '../support/server.ts';
import { newWebhook, type ReceivedMessage, startReceiver } from '../support/webhook-receiver.ts';

const SETTINGS = { WEBHOOKS_ALLOW_PRIVATE_HOSTS: 'true', APPS_GIT_PROTOCOLS: 'file' };

/** Server with an application whose repository has these files, and a webhook about it to a receiver. */
async function startWithSite(kind: DatabaseKind, files: Record<string, string>) {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(
    await startServer(kind, { env: SETTINGS, jobTimes: { pollSeconds: 0.5 }, stays: true }),
  );
  const receiver = opened.use(await startReceiver());
  const repository = opened.use(await createRepository(files));
  const email = newAddress();
  const { call } = await verifiedUser(server.url, server.dataDir, email);
  const app = await newApplication(call, server.url, repository.address);
  await newWebhook(call, { url: receiver.url, kinds: SITE_KINDS, application_id: app.uuid });
  const all = opened.move();
  return { server, receiver, repository, email, app, call, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

for (const kind of DATABASES) {
  test(`a deployment is told as it starts and ends, and its owner gets a mail if it failed, on ${kind}`, async () => {
    await using at = await startWithSite(kind, { 'index.html': 'here' });
    await at.app.deploy();
    const first = await at.receiver.messages(2);
    assert.deepEqual(
      first.map(({ payload }) => [payload.type, payload.data.deployment.status]),
      [
        ['deployment.started', 'building'],
        ['deployment.succeeded', 'live'],
      ],
    );
    const { application, deployment } = (first[1] as ReceivedMessage).payload.data;
    assert.equal(application.application_uuid, at.app.uuid);
    const shown = await at.call(
      'GET',
      `/api/v1/applications/${at.app.uuid}/deployments/${deployment.deployment_uuid}`,
    );
    assert.deepEqual(deployment, shown.body);

    await at.repository.commit({ 'index.html': null, 'notes.txt': 'nothing to serve' });
    const { deployment_uuid: failing } = (await at.call('POST', `/api/v1/applications/${at.app.uuid}/deploy`))
      .body;
    const failed = (await at.receiver.messages(4))[3]?.payload;
    assert.deepEqual([failed.type, failed.data.deployment.deployment_uuid], ['deployment.failed', failing]);
    assert.ok(failed.data.deployment.reason);
    const mail = await mailTo(at.server.dataDir, at.email, 1);
    assert.match(mail.subject, /^The deployment of .+ failed$/);
    assert.ok(mail.text.includes(`/sites/${at.app.uuid}/deployments/${failing}`));
    assert.ok(mail.text.includes(failed.data.deployment.reason));
  });
}

test('a site that goes down and comes back is told, with one mail of each kind an hour', async () => {
  let now = Temporal.Now.instant();
  await using server = await startServer('postgres', {
    clock: () => now,
    env: { WEBHOOKS_ALLOW_PRIVATE_HOSTS: 'true' },
    jobTimes: { pollSeconds: 0.5 },
  });
  await using receiver = await startReceiver();
  const { call, email } = await newDeveloper(server);
  const application = { name: 'Wedding', repository: 'https://example.com/wedding.git' };
  const { application_uuid: uuid } = (await call('POST', '/api/v1/applications', { body: application })).body;
  await newWebhook(call, { url: receiver.url, kinds: SITE_KINDS, application_id: uuid });
  const db = server.simcha.database.sql;
  // No server runs sites: the test itself writes what a lease holder would.
  await sql`insert into hosting_lease (server, machine, outlives, generation, held_until)
    values (gen_random_uuid(), 'test', false, 1, now())`.execute(db);
  await writeServing(db, uuid, { kind: 'server', origin: 'http://127.0.0.1:1' });
  const { rows } = await sql<SiteRow & { serving: string }>`
    select sites.*, instances.instance_id as serving from sites join instances using (environment_id)`.execute(
    db,
  );
  const [site] = rows;
  assert.ok(site);
  const mails: NewMail[] = [];
  const enqueue = async (_: unknown, mail: NewMail) => {
    mails.push(mail);
    return undefined;
  };
  const { instances } = createRecords({
    db,
    generation: 1,
    budgets: new Budgets(db, readConfig({})),
    gatewayGoneMs: 10_000,
    mails: new OwnerMails({ mail: { enqueue }, publicUrl: 'https://simcha.example.com' }),
  });
  const slot = { environmentId: site.environment_id, process: 'web', number: 1 };
  const turn = async (minutesLater: number) => {
    now = now.add({ minutes: minutesLater });
    await sql`update instances set state = 'draining'`.execute(db);
    const note = reason('site_ended', { how: reason('exited', { code: 1 }) });
    await instances.noteDown(site, slot, { note, soon: true }, now);
    await instances.noteDown(site, slot, { note, soon: false }, now);
    await instances.noteDown(site, slot, { note, soon: false }, now);
    await instances.noteServing(site, slot, site.serving, now);
  };
  for (const minutesLater of [0, 59, 2]) await turn(minutesLater);
  const received = await receiver.messages(6);
  assert.deepEqual(
    received.map(({ payload }) => [payload.type, payload.data.site.state]),
    Array.from({ length: 3 }, () => [
      ['site.down', 'down'],
      ['site.up', 'live'],
    ]).flat(),
  );
  assert.deepEqual(
    mails.map(({ subject }) => subject.replace(/^\S+ /, '')),
    ['is down', 'is up again', 'is down', 'is up again'],
  );
  assert.ok(mails[0]?.text.includes(`https://simcha.example.com/sites/${uuid}`));
  assert.equal(mails[0]?.to, email);
});
