import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type CommandLine, commandLine } from '../support/command-line.ts';
import { newApplication, versionSite } from '../support/deployed.ts';
import { newDeveloper } from '../support/developers.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { HOSTING } from './settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
type Data = any;

/** Client of the protocol, as an assistant has it, that started `simcha mcp`. */
async function assistant(
  simcha: CommandLine,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
) {
  const client = new Client({ name: 'test', version: '1' });
  const { env: whole, ...started } = simcha.processOf(['mcp', ...args], env);
  const defined = Object.entries(whole).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const transport = new StdioClientTransport({ ...started, env: Object.fromEntries(defined) });
  // A line on stdout that is no message of the protocol arrives here.
  const errors: Error[] = [];
  transport.onerror = (error) => errors.push(error);
  await client.connect(transport);

  async function call(name: string, input: Record<string, unknown> = {}) {
    const result = await client.callTool({ name, arguments: input });
    const [content] = result.content;
    const text = content?.type === 'text' ? content.text : '';
    return { text, isError: result.isError === true, data: result.structuredContent as Data };
  }
  return {
    client,
    call,
    /** Calls a tool that must succeed; returns its data. */
    async ok(name: string, input?: Record<string, unknown>) {
      const { text, isError, data } = await call(name, input);
      assert.ok(!isError, `${name}: ${text}`);
      return data;
    },
    /** Calls a tool that must fail; returns the text of the error. */
    async refused(name: string, input?: Record<string, unknown>) {
      const { text, isError } = await call(name, input);
      assert.ok(isError, `${name}: ${text}`);
      return text;
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      assert.deepEqual(errors, []);
    },
  };
}

async function organizer(name: string) {
  const server = await sharedServer(ANY_DATABASE, HOSTING);
  const token = await server.token(name);
  return { server, simcha: await commandLine({ SIMCHA_URL: server.url, SIMCHA_TOKEN: token }) };
}

test('an assistant plans an event by tools that refuse what they don’t know', async () => {
  await using stack = new AsyncDisposableStack();
  const { server, simcha } = await organizer('organizer-with-an-assistant');
  stack.use(server);
  stack.use(simcha);
  await using at = await assistant(simcha);

  const event = { title: 'החתונה של נועה', event_date: '2099-06-15T19:30', venue_name: 'גן אירועים' };
  const created = await at.ok('create_event', { ...event, max_guests: 320, budget: 185_000 });
  assert.equal(created.event.status, 'draft');
  const { guest } = await at.ok('add_guest', { event: 'נועה', name: 'Dana', party_size: 3 });
  assert.deepEqual([guest.name, guest.party_size], ['Dana', 3]);
  const { guests, total } = await at.ok('list_guests', { event: created.event.id, status: 'pending' });
  assert.deepEqual([guests, total], [[guest], 1]);
  assert.equal((await at.ok('list_guests', { event: 'נועה', search: 'Moshe' })).total, 0);
  assert.equal((await at.ok('guest_numbers', { event: 'נועה' })).numbers.invited, 3);
  assert.equal((await at.ok('list_events')).events[0].pending, 1);
  assert.equal((await at.ok('show_event', { event: 'נועה' })).event.max_guests, 320);
  assert.ok((await at.ok('show_checklist', { event: 'נועה' })).checklist.items.length > 0);
  assert.equal((await at.ok('show_budget', { event: 'נועה' })).budget.left, 185_000);

  assert.match(await at.refused('list_guests', { event: 'נועה', order: 'name' }), /order/);
  assert.match(await at.refused('list_guests', { event: 'נועה', limit: 101 }), /100/);
  assert.match(await at.refused('add_guest', { event: 'נועה', name: 'Moshe', phone: '12' }), /[Pp]hone/);
  assert.match(await at.refused('show_event', { event: 'Brit' }), /no event "Brit"/);
  assert.match(await at.refused('show_site'), /No site is named\.\n.*list_sites/);
});

test('tools say what they change, none deletes, and --read-only leaves those that change nothing', async () => {
  await using simcha = await commandLine();
  const namesOf = async (args: readonly string[], isChosen: (hints: Data) => boolean) => {
    await using at = await assistant(simcha, { args });
    const { tools } = await at.client.listTools();
    for (const { name, inputSchema } of tools)
      assert.equal(inputSchema.additionalProperties, false, `${name} takes unknown arguments`);
    return tools.filter(({ annotations }) => isChosen(annotations)).map(({ name }) => name);
  };
  const changing = [
    'set_variables',
    'unset_variables',
    'deploy_site',
    'roll_back_site',
    'restart_site',
    'create_event',
    'add_guest',
  ];
  assert.deepEqual(await namesOf([], ({ readOnlyHint }) => readOnlyHint !== true), changing);
  assert.deepEqual(
    await namesOf([], ({ destructiveHint }) => destructiveHint === true),
    changing.slice(0, 4),
  );
  assert.deepEqual(
    await namesOf(['--read-only'], () => true),
    await namesOf([], ({ readOnlyHint }) => readOnlyHint === true),
  );
});

test('a call without an accepted token says how to sign in', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  await using simcha = await commandLine({ SIMCHA_URL: server.url });
  await using signedOut = await assistant(simcha);
  assert.match(await signedOut.refused('list_sites'), /not signed in\.\nSign in: simcha login/);
  await using wrong = await assistant(simcha, { env: { SIMCHA_TOKEN: 'sk_wrong12345678' } });
  assert.match(
    await wrong.refused('list_events'),
    /SIMCHA_TOKEN.+\nMake another token: simcha tokens create/,
  );
});

test('only this command loads the protocol', async () => {
  const folder = new URL('../../cli/dist/', import.meta.url);
  const chunks = (await readdir(folder)).filter((name) => name !== 'serve-tools.js');
  assert.ok(chunks.length > 20);
  for (const name of chunks) {
    const text = await readFile(new URL(name, folder), 'utf8');
    assert.doesNotMatch(text, /tools\/call|from "\.\/serve-tools\.js"/, name);
  }
});

testInLane('an assistant deploys a site, learns why it failed, sets variables and rolls back', async () => {
  await using server = await sharedServer(ANY_DATABASE, HOSTING);
  const developer = await newDeveloper(server);
  await using simcha = await commandLine({ SIMCHA_URL: server.url, SIMCHA_TOKEN: developer.apiKey });
  await using repository = await createRepository(versionSite('first'));
  const app = await newApplication(developer.call, server.url, repository.address, { name: 'Wedding' });
  await using at = await assistant(simcha);
  const site = 'Wedding';

  assert.deepEqual((await at.ok('list_sites')).sites[0].uuid, app.uuid);
  assert.match(await at.refused('deployment_status', { site }), /no deployment yet\.\n.*deploy_site/);
  assert.equal((await at.ok('plan_site', { site })).plan.type, 'server');
  const first = await at.ok('deploy_site', { site });
  assert.deepEqual([first.status, first.is_current], ['live', true]);
  assert.ok(first.log.length > 0 && first.log.length <= 30);

  const secret = 's3cret-value';
  await at.ok('set_variables', { site, variables: { TITLE: secret } });
  const listed = await at.call('list_variables', { site });
  assert.deepEqual(listed.data, { names: ['TITLE'] });
  assert.ok(!listed.text.includes(secret));
  assert.deepEqual(await at.ok('list_variables', { site, show_values: true }), {
    variables: { TITLE: secret },
  });
  await developer.call('POST', '/api/v1/variable-groups', {
    body: { name: 'shared', variables: { DSN: { value: 'd' } } },
  });
  await developer.call('PUT', `/api/v1/applications/${app.uuid}/variable-groups/shared`);
  assert.deepEqual(await at.ok('list_variables', { site }), { names: ['DSN', 'TITLE'] });
  const restarted = await at.ok('restart_site', { site });
  assert.deepEqual([restarted.action, restarted.status], ['restart', 'live']);
  assert.equal((await app.visit()).text, `first ${secret}`);
  await at.ok('unset_variables', { site, names: ['TITLE'] });
  assert.deepEqual(await at.ok('list_variables', { site }), { names: ['DSN'] });

  await repository.commit({ 'server.js': 'throw new Error("no venue")' }, 'Break it');
  const failed = await at.ok('deploy_site', { site });
  assert.deepEqual([failed.status, failed.message], ['failed', 'Break it']);
  assert.match(failed.reason, /no venue/);
  const status = await at.ok('deployment_status', { site, lines: 3 });
  assert.deepEqual([status.deployment, status.log.length], [failed.deployment, 3]);

  await repository.commit(versionSite('second'), 'Mend it');
  const started = await at.ok('deploy_site', { site, wait_seconds: 0 });
  assert.match(started.next, /deployment_status/);
  await app.expect(started.deployment, 'live');
  const rolledBack = await at.ok('roll_back_site', { site, deployment: first.deployment });
  assert.deepEqual([rolledBack.action, rolledBack.commit], ['rollback', first.commit]);
  const { deployments } = await at.ok('list_deployments', { site });
  assert.deepEqual(
    deployments.map((one: { action: string }) => one.action),
    ['rollback', 'deploy', 'deploy', 'restart', 'deploy'],
  );
  // Requests are stored a moment after they were answered.
  await until(async () => /GET/.test((await at.call('read_site_log', { site, log: 'requests' })).text));
  assert.match(await at.refused('deploy_site', { site, branch: 'main', tag: 'v1' }), /only one/);
  assert.match((await at.ok('deploy_site', { site, branch: 'none-such' })).reason, /none-such/);

  const token = (await simcha.ok('tokens', 'create', 'Assistant', '--scope', 'read')).trim();
  await using reader = await assistant(simcha, { env: { SIMCHA_TOKEN: token } });
  assert.equal((await reader.ok('list_sites')).total, 1);
  assert.match(await reader.refused('list_variables', { site }), /\nUse a token with this scope/);
});
