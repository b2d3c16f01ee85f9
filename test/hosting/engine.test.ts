import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { contextOf } from '../../commands/cluster/node-image.ts';
import type { ContainerOrder } from '../../server/hosting/engine/container-calls.ts';
import { type Engine, openEngine } from '../../server/hosting/engine/engine.ts';
import { EngineAway, EngineError } from '../../server/hosting/engine/errors.ts';
import { StepFailed } from '../../server/hosting/engine/image-build.ts';
import { engineOfFile, NO_OOM } from '../support/engine.ts';
import { until } from '../support/until.ts';

const NEVER = new AbortController().signal;
const LABELS = { 'simcha.test': 'engine' };
const MEBIBYTE = 2 ** 20;

let engine: Engine;
const { withEngine: withAny } = engineOfFile(async (opened) => {
  engine = opened;
  await build('simcha/words', 'FROM scratch\nCOPY . /\nENV PATH=/bin\n');
});
const withEngine = (name: string, work: () => Promise<void>) => withAny(name, work);

async function build(
  tag: string,
  dockerfile: string,
  more: { args?: Record<string, string>; target?: string } = {},
) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-context-'));
  const bin = join(folder.path, 'bin');
  await mkdir(bin);
  await copyFile('/bin/busybox', join(bin, 'busybox'));
  for (const name of ['sh', 'echo', 'sleep', 'cat', 'dd', 'head', 'tr'])
    await symlink('busybox', join(bin, name));
  await writeFile(join(folder.path, 'Dockerfile'), dockerfile);
  const said: string[] = [];
  const order = {
    context: contextOf(folder.path),
    tag,
    dockerfile: 'Dockerfile',
    labels: LABELS,
    memory: 256 * MEBIBYTE,
    network: 'none' as const,
    ...more,
  };
  const ids = await engine.build(order, (line) => said.push(line), NEVER);
  return { id: ids.at(-1), said };
}

const all = async <T>(batches: AsyncIterable<T[]>) => (await Array.fromAsync(batches)).flat();

async function run(command: string, more: Partial<ContainerOrder['HostConfig']> = {}, env: string[] = []) {
  const order = {
    Image: 'simcha/words',
    Cmd: ['sh', '-c', command],
    Env: env,
    Labels: { ...LABELS, command },
    HostConfig: { NetworkMode: 'none', ...more },
  };
  const id = await engine.create(`words-${crypto.randomUUID()}`, order, NEVER);
  await engine.start(id, NEVER);
  return id;
}

withEngine('an image is built by the words of its Dockerfile, and what fails is told', async () => {
  const { id, said } = await build(
    'simcha/told',
    'FROM simcha/words AS first\nARG WHAT\nRUN echo "$WHAT" > /what && echo told; echo half\nFROM first AS other\n',
    { args: { WHAT: 'שלום; $(rm -rf /)' }, target: 'first' },
  );
  assert.equal((await engine.image('simcha/told', NEVER))?.Id, id);
  assert.ok(said.includes('told') && said.includes('half'), said.join('\n'));
  await assert.rejects(build('simcha/no', 'FROM simcha/words\nRUN exit 3\n'), (error: EngineError) => {
    assert.ok(error instanceof StepFailed);
    assert.equal(error.code, 3);
    return true;
  });
  await assert.rejects(build('simcha/no', 'FROM nowhere.invalid/none\n'), EngineError);
  await assert.rejects(build('NOT A NAME', 'FROM scratch\n'), EngineError);
  assert.equal(await engine.image('simcha/no', NEVER), undefined);
  const ours = await engine.images(LABELS, NEVER);
  assert.ok(ours.some(({ Id }) => Id === id));
  await engine.removeImage('simcha/told', NEVER);
  await engine.removeImage('simcha/told', NEVER);
  assert.equal(await engine.image('simcha/told', NEVER), undefined);
});

withEngine('a container says what it says, line by line and by the time, to its end', async () => {
  const id = await run('echo one; echo two >&2; echo "$WORD"; sleep 1; echo last; printf half', {}, [
    'WORD=שָׁלוֹם\nשוב',
  ]);
  // What has no newline at the end is told by an engine that is asked afterwards, and not by each that is listened to.
  const followed = await all(engine.logs(id, undefined, NEVER));
  assert.ok(followed.some(({ line }) => line === 'last'));
  assert.equal(await engine.wait(id, NEVER), 0);
  const lines = await all(engine.logs(id, undefined, NEVER));
  assert.deepEqual(
    lines.filter(({ output }) => output === 'out').map(({ line }) => line),
    ['one', 'שָׁלוֹם', 'שוב', 'last', 'half'],
  );
  assert.deepEqual(lines.find(({ output }) => output === 'error')?.line, 'two');
  const times = lines.map(({ at }) => Date.parse(at));
  assert.ok(times.every((at) => Math.abs(at - Date.now()) < 60_000));
  const last = lines.at(-1)?.at ?? '';
  const since = `${Math.floor(Date.parse(last) / 1_000)}.${last.split('.')[1]?.slice(0, -1)}`;
  assert.deepEqual(
    (await all(engine.logs(id, since, NEVER))).map(({ line }) => line),
    ['half'],
  );
  await engine.remove(id, NEVER);
});

withEngine(
  'a line that the engine tells in pieces is one, and of one without end the head is told',
  async () => {
    const long = await run(
      `head -c 50000 /dev/zero | tr '\\0' x; echo end; head -c 300000 /dev/zero | tr '\\0' y`,
    );
    await engine.wait(long, NEVER);
    const [first, second] = await all(engine.logs(long, undefined, NEVER));
    assert.equal(first?.line, `${'x'.repeat(50_000)}end`);
    assert.equal(second?.line, 'y'.repeat(80_000));
    await engine.remove(long, NEVER);
  },
);

withEngine('who listens to a container hears of its end, whatever its engine notes meanwhile', async () => {
  const commands = Array.from({ length: 5 }, (_, index) => `echo one; sleep ${1 + index / 5}; echo two`);
  const ids = await Promise.all(commands.map((command) => run(command)));
  let isOver = false;
  const inTime = AbortSignal.timeout(20_000);
  const listening = Promise.all(ids.map((id) => all(engine.logs(id, undefined, inTime)))).finally(() => {
    isOver = true;
  });
  // Podman notes what becomes of containers in a file that begins anew after a megabyte; who waits for it may then wait
  // for good.
  const noting = (async () => {
    const order = {
      Image: 'simcha/words',
      Cmd: ['sh'],
      HostConfig: { NetworkMode: 'none' },
      Labels: { ...LABELS, weight: 'x'.repeat(600_000) },
    };
    while (!isOver) await engine.remove(await engine.create('words-heavy', order, NEVER), NEVER);
  })();
  const told = await listening.finally(() => noting);
  for (const lines of told)
    assert.deepEqual(
      lines.map(({ line }) => line),
      ['one', 'two'],
    );
  for (const id of ids) await engine.remove(id, NEVER);
});

withEngine('what ends a container is known: by itself, asked to, or for what it took', async () => {
  const code = await run('exit 7');
  assert.equal(await engine.wait(code, NEVER), 7);
  const asked = await run('trap "exit 4" TERM; echo ready; while true; do sleep 1; done');
  // The first process of a container hears no signal before it says that it does.
  for await (const _ of engine.logs(asked, undefined, NEVER)) break;
  await engine.stop(asked, 20, NEVER);
  assert.equal((await engine.inspect(asked, NEVER))?.State.ExitCode, 4);
  const deaf = await run('trap "" TERM; while true; do sleep 1; done');
  const stopping = engine.stop(deaf, 1, NEVER);
  await sleep(500);
  assert.equal((await engine.inspect(deaf, NEVER))?.State.Running, true, 'until it has ended');
  await stopping;
  assert.equal((await engine.inspect(deaf, NEVER))?.State.ExitCode, 137);
  const memory = { Memory: 32 * MEBIBYTE, MemorySwap: 32 * MEBIBYTE };
  const greed = () => run('dd if=/dev/zero of=/dev/null bs=200M count=1', memory);
  let greedy = await greed();
  const isKnown = async () => {
    assert.notEqual(await engine.wait(greedy, NEVER), 0);
    return NO_OOM || (await engine.inspect(greedy, NEVER))?.State.OOMKilled === true;
  };
  // A dockerd that is busy may hear of it too late.
  for (let turn = 1; turn < 5 && !(await isKnown()); turn += 1) {
    await engine.remove(greedy, NEVER);
    greedy = await greed();
  }
  assert.ok(await isKnown());
  // Those that are there are found by labels, and what is not there is as it should be.
  const found = (await engine.containers(LABELS, NEVER)).map(({ Id, State }) => [Id, State]);
  for (const id of [code, asked, deaf, greedy])
    assert.ok(found.some(([one, state]) => one === id && state === 'exited'));
  for (const id of [code, asked, deaf, greedy, 'nobody']) await engine.remove(id, NEVER);
  await engine.stop('nobody', 1, NEVER);
  assert.equal(await engine.inspect(code, NEVER), undefined);
  assert.deepEqual(await engine.containers({ 'simcha.test': 'none' }, NEVER), []);
});

withEngine('events of ours are told as they come, until the signal', async () => {
  const enough = new AbortController();
  const told: string[] = [];
  const listening = (async () => {
    for await (const { Action, Actor } of engine.events({ ...LABELS, command: 'exit 9' }, enough.signal))
      told.push(`${Action} ${Actor.Attributes.exitCode ?? ''}`.trim());
  })();
  listening.catch(() => {});
  const others = await run('exit 8');
  const ours = await run('exit 9');
  await until(() => told.includes('die 9'));
  enough.abort(new Error('enough'));
  await assert.rejects(listening);
  // Podman tells more of its steps.
  assert.deepEqual(
    told.filter((one) => !['init', 'cleanup'].includes(one)),
    ['create', 'start', 'die 9'],
  );
  for (const id of [others, ours]) await engine.remove(id, NEVER);
});

withEngine('a network and a volume are made, found and removed', async () => {
  await engine.createVolume('simcha-words', LABELS, NEVER);
  await engine.createVolume('simcha-words', LABELS, NEVER);
  const volume = { Mounts: [{ Type: 'volume', Source: 'simcha-words', Target: '/kept' }] } as const;
  const writes = await run('echo kept > /kept/file', volume);
  assert.equal(await engine.wait(writes, NEVER), 0);
  const reads = await run('cat /kept/file', volume);
  assert.deepEqual(
    (await all(engine.logs(reads, undefined, NEVER))).map(({ line }) => line),
    ['kept'],
  );
  for (const id of [writes, reads]) await engine.remove(id, NEVER);
  await engine.removeVolume('simcha-words', NEVER);
  await engine.removeVolume('simcha-words', NEVER);
});

withEngine('what is asked for by several labels has them all', async () => {
  const one = { ...LABELS, which: 'one', who: 'both' };
  const other = { ...LABELS, which: 'other', who: 'both' };
  for (const labels of [one, other]) {
    const name = `simcha-${labels.which}`;
    await engine.createVolume(name, labels, NEVER);
    await engine.create(name, { Image: 'simcha/words', Cmd: ['sh'], Labels: labels, HostConfig: {} }, NEVER);
    await engine.commit(name, { repository: name, tag: 'made', config: { Labels: labels } }, NEVER);
  }
  const names = async (labels: Record<string, string>) => [
    (await engine.volumes(labels, NEVER)).map(({ Name }) => Name),
    (await engine.containers(labels, NEVER)).map(({ Labels }) => `simcha-${Labels.which}`),
    (await engine.images(labels, NEVER)).map(({ Labels }) => `simcha-${Labels?.which}`),
  ];
  assert.deepEqual(await names(one), [['simcha-one'], ['simcha-one'], ['simcha-one']]);
  assert.deepEqual(await names({ who: 'both', which: 'none' }), [[], [], []]);
  for (const name of ['simcha-one', 'simcha-other']) {
    await engine.remove(name, NEVER);
    await engine.removeVolume(name, NEVER);
    await engine.removeImage(`${name}:made`, NEVER);
  }
});

withEngine(
  'an image is made of a container in which commands were run, and holds nothing of their variables',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-files-'));
    await mkdir(join(folder.path, 'app'));
    await writeFile(join(folder.path, 'app', 'word'), 'שלום');
    const order = {
      Image: 'simcha/words',
      Cmd: ['sleep', '600'],
      Labels: LABELS,
      HostConfig: { NetworkMode: 'none' },
    };
    const id = await engine.create('words-building', order, NEVER);
    await engine.putFiles(id, '/', contextOf(folder.path), NEVER);
    await engine.start(id, NEVER);
    const said = { out: '', error: '' };
    const exec = (command: string) =>
      engine.exec(
        id,
        { Cmd: ['sh', '-c', command], Env: ['SECRET=hush hush'], WorkingDir: '/app' },
        (bytes, from) => {
          said[from] += bytes;
        },
        NEVER,
      );
    assert.equal(await exec('cat word; echo "$SECRET" >&2; echo made > made'), 0);
    assert.deepEqual(said, { out: 'שלום', error: 'hush hush\n' });
    assert.equal(await exec('exit 5'), 5);
    assert.notEqual(await exec('no-such-program'), 0);
    const config = { Cmd: ['cat', '/app/made'], Labels: LABELS };
    const image = await engine.commit(id, { repository: 'simcha/made', tag: 'one', config }, NEVER);
    const kept = await engine.image('simcha/made:one', NEVER);
    assert.equal(kept?.Id, image);
    assert.doesNotMatch(JSON.stringify(kept), /hush/);
    const made = await engine.create(
      'words-made',
      { Image: image, Labels: LABELS, HostConfig: { NetworkMode: 'none' } },
      NEVER,
    );
    await engine.start(made, NEVER);
    assert.equal(await engine.wait(made, NEVER), 0);
    assert.deepEqual(
      (await all(engine.logs(made, undefined, NEVER))).map(({ line }) => line),
      ['made'],
    );
    const archive = await engine.files(made, '/app', NEVER);
    const names = execFileSync('tar', ['--list'], {
      input: await buffer(archive as Readable),
      encoding: 'utf8',
    });
    // Podman names a folder without its slash.
    const told = names
      .trim()
      .split('\n')
      .map((name) => name.replace(/\/$/, ''));
    assert.deepEqual(told.sort(), ['app', 'app/made', 'app/word']);
    assert.equal(await engine.files(made, '/nothing', NEVER), undefined);
    for (const one of [id, made]) await engine.remove(one, NEVER);
    await engine.removeImage(image, NEVER);
  },
);

test('an engine that is away, too old, too new or broken is told from one that refuses', async () => {
  await assert.rejects(openEngine('/nowhere/docker.sock', NEVER), EngineAway);
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-socket-'));
  const answers: Record<string, string> = {};
  const refusals: string[] = [];
  const server = createServer((request, response) => {
    const message = refusals.pop();
    if (message !== undefined) response.writeHead(500).end(JSON.stringify({ message }));
    else response.end(answers[request.url ?? ''] ?? 'no json');
  });
  const socket = join(folder.path, 'engine.sock');
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  try {
    const version = (ApiVersion: string, MinAPIVersion: string, Version = '4.3.1') => {
      const Components = [{ Name: 'Podman Engine', Version }];
      answers['/version'] = JSON.stringify({ ApiVersion, MinAPIVersion, Components });
      return openEngine(socket, NEVER);
    };
    await assert.rejects(version('1.40', '1.12'), /its API is 1.40; 1.41 is the least/);
    await assert.rejects(version('1.99', '1.90'), /its API begins with 1.90/);
    await assert.rejects(version('1.41', '1.12', '4.2.9'), /it is Podman 4.2.9; 4.3 is the least/);
    const newer = await version('1.99', '1.44');
    assert.equal(newer.version, '1.51');
    assert.equal((await version('1.41', '1.12')).version, '1.41');
    await assert.rejects(newer.containers({}, NEVER), { message: 'its answer is no JSON' });
    answers['/v1.51/containers/a%2F..%2Fb/json'] = '{"Id":"told apart","State":{}}';
    assert.equal((await newer.inspect('a/../b', NEVER))?.Id, 'told apart');
    refusals.push('read /proc/7/cgroup: no such process');
    assert.equal((await newer.inspect('a/../b', NEVER))?.Id, 'told apart', 'once its end is noted');
    const gone = AbortSignal.abort(new Error('gone'));
    await assert.rejects(newer.containers({}, gone), /gone/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
