import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { whyNoCluster } from '../commands/cluster/cluster.ts';
import { freePort } from '../commands/cluster/postgres.ts';
import { processesOf } from './support/cluster-processes.ts';
import { visitSite } from './support/deployed.ts';
import { unprivilegedUser } from './support/unprivileged-user.ts';
import { until } from './support/until.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const DEMO = ['commands/demo.ts', 'cluster'];
const { PATH, TMPDIR } = process.env;

test('the demo of a cluster has a machine die, and its sites answer until it is interrupted, which leaves nothing', async (t) => {
  const lacks = whyNoCluster();
  if (lacks !== undefined) return t.skip(lacks);
  const port = String(await freePort());
  // Of a group of its own, to which a terminal sends the interrupt.
  const demo = spawn(process.execPath, DEMO, {
    cwd: ROOT,
    env: { PATH, TMPDIR, PORT: port },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(demo, 'exit');
  const interrupt = () => demo.exitCode ?? process.kill(-(demo.pid ?? 0), 'SIGINT');
  t.after(interrupt);
  let output = '';
  for (const stream of [demo.stdout, demo.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  await until(() => /^Ctrl-C ends/m.test(output) || demo.exitCode !== null, 500_000);

  assert.equal(output.match(/ live in [\d.]+ s /g)?.length, 3, output);
  assert.match(
    output,
    /^all of its replicas run elsewhere, [\d.]+ s later; it gets its power back$/m,
    output,
  );
  assert.match(output, /^node-3 is back after [\d.]+ s, ready for new replicas$/m, output);
  const [requests = ''] = /^\d+ requests, 0 failed; .+$/m.exec(output) ?? assert.fail(output);
  t.diagnostic(requests);
  const addresses = [...output.matchAll(/^\S.+ (http:\/\/[\w-]+\.localhost:\d+)$/gm)].map(
    ([, one = '']) => one,
  );
  assert.equal(new Set(addresses).size, 3, output);
  for (const address of addresses)
    assert.equal((await visitSite(`http://127.0.0.1:${port}`, new URL(address).host)).status, 200, address);
  const [, socket = ''] = /unix:\/\/(\S+) node ls/.exec(output) ?? assert.fail(output);
  assert.ok(processesOf({ socket }).length > 0);

  interrupt();
  assert.deepEqual(await ended, [0, null], output);
  assert.deepEqual([existsSync(dirname(dirname(dirname(socket)))), processesOf({ socket })], [false, []]);
});

test('who can’t make a cluster is told why by the demo of one', (t) => {
  const user = unprivilegedUser();
  if (!user) return t.skip('nobody else can read this checkout');
  const { status, stdout, stderr } = spawnSync(process.execPath, DEMO, {
    ...user,
    cwd: ROOT,
    env: { PATH },
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^A cluster can't be shown here: .+ by root alone\n$/);
});
