import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { pack } from 'tar-stream';
import { placeFolders } from '../../../server/hosting/engine/volume-folders.ts';
import { RuntimeFailure } from '../../../server/hosting/model/reasons/failure.ts';
import { newId } from '../../../server/kernel/identifiers.ts';
import {
  buildStartOrder,
  containersOfFile,
  type OpenedRuntime,
  openTestRuntime,
  runCommand,
} from '../../support/containers.ts';
import {
  failureOf,
  imageOf,
  serverFile,
  siteOf,
  startAndAsk,
  untaggedImages,
  withBusybox,
} from '../../support/dockerfiles.ts';
import { NODE } from '../../support/engine.ts';
import { buildSite, serverCode } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';

const NEVER = new AbortController().signal;

const { withAny, withEngine } = containersOfFile();

/** Whether all of it went. */
const forgets = async (at: OpenedRuntime, applicationId: string): Promise<boolean> => {
  assert.ok((await at.builder.applications()).includes(applicationId));
  return at.builder.forget(applicationId, NEVER).then(
    () => true,
    () => false,
  );
};

withAny(
  'a build that hangs its engine by a pipe keeps nobody waiting for longer than its end',
  async (engine, daemon) => {
    const platform = newId();
    await using at = await openTestRuntime(daemon, {}, platform);
    const cancelling = new AbortController();
    const pipe = 'rm -f /etc/passwd; /busybox mkfifo /etc/passwd; echo begun';
    const site = siteOf([`FROM ${NODE}`, 'COPY busybox /busybox', `RUN ${pipe}`, 'RUN true']);
    const applicationId = newId();
    const hangs = buildSite(
      at,
      { ...withBusybox(site), signal: cancelling.signal },
      { applicationId, buildId: newId() },
    );
    hangs.catch(() => {});
    const waiting = async () => {
      const all = await engine.containers({ 'simcha.stage': `${platform}/${applicationId}` }, NEVER);
      return all.find(({ State }) => State === 'created')?.Id;
    };
    /** Whoever writes into it lets the engine go on, which opens it several times. */
    const release = async () => {
      // A folder further down where containers have users of their own.
      const merged = '{overlay2,*/overlay2}/*/merged/etc/passwd';
      const write = `cd "$0"; for one in ${merged}; do if [ -p "$one" ]; then timeout 1 bash -c ': > "$0"' "$one"; fi; done; true`;
      await until(async () => {
        daemon.inside('bash', '-c', write, join(dirname(daemon.socket), 'data'));
        return (await waiting()) === undefined;
      }, 60_000);
    };
    await until(async () => {
      const before = await waiting();
      await setTimeout(1_500);
      return before !== undefined && (await waiting()) === before;
    }, 60_000);
    const isBusy = { status: 409, message: /busy/ };
    const meanwhile = async () => {
      cancelling.abort(new Error('cancelled'));
      const ended = assert.rejects(hangs, /cancelled/);
      const other = await buildStartOrder(
        at,
        siteOf([`FROM ${NODE}`, 'RUN echo > /a', 'COPY server.js /', 'CMD node /server.js'], serverFile('1')),
      );
      assert.deepEqual(await startAndAsk(at, other), { port: 8080, text: '1' });
      // It removes no image meanwhile, not even another one, and whoever has it do so is told that it is busy.
      const unused = siteOf([`FROM ${NODE}`, 'RUN echo > /unused']);
      const [one, another] = await Promise.all([buildStartOrder(at, unused), buildStartOrder(at, unused)]);
      const enough = AbortSignal.timeout(7_000);
      const forgetting = assert.rejects(at.builder.forget(one.labels.applicationId, enough));
      for (let turn = 0; turn < 2; turn += 1)
        await assert.rejects(engine.removeImage(imageOf(another), NEVER), isBusy);
      await forgetting;
      const late = setTimeout(50_000, 'late', { ref: false });
      assert.notEqual(await Promise.race([ended, late]), 'late');
      return { other, all: [one, another, other].map(({ labels }) => labels.applicationId) };
    };
    const { other, all } = await meanwhile().finally(release);
    await at.runtime.stop(other.instance, 0);
    for (const id of [applicationId, ...all]) {
      // What is called nothing any more is its still.
      await until(async () => !(await at.builder.applications()).includes(id) || forgets(at, id), 30_000);
      assert.deepEqual(await untaggedImages(engine, id), []);
      assert.deepEqual(
        await engine.networks({ 'simcha.application': id, 'simcha.kind': 'build' }, NEVER),
        [],
      );
      assert.deepEqual(await engine.containers({ 'simcha.stage': `${platform}/${id}` }, NEVER), []);
    }
    for (const key of await at.runtime.retainedEnvironments()) await at.runtime.forget(key, NEVER);
  },
);

withEngine('an image whose users are in no plain file is not started', async (at, engine) => {
  const after = async (change: string, ...more: string[]) => {
    const lines = [
      `FROM ${NODE}`,
      'COPY busybox /bin/busybox',
      `RUN rm -f /etc/passwd; mkdir -p /srv; cd /srv; ${change}`,
      ...more,
    ];
    const site = siteOf([...lines, 'COPY server.js /', 'CMD ["node", "/server.js"]'], serverFile('"up"'));
    return buildStartOrder(at, withBusybox(site));
  };
  for (const change of [
    '/bin/busybox mkfifo /etc/passwd',
    'ln -s /dev/stdout /etc/passwd',
    'yes g:x:9: | head -n 300000 > /etc/group',
    'echo > a; ln -s /srv/a /etc/passwd; rm -f /etc/group; /bin/busybox mkfifo /etc/group',
  ]) {
    const order = await after(change);
    assert.equal((await failureOf(at.runtime.start(order))).code, 'odd_users', change);
    assert.deepEqual(await at.runtime.list(), []);
  }
  // A volume would be where nobody looks for it, such as over what is looked at here.
  for (const [change, path] of [
    ['mkdir -p /real/w; ln -s /real /x; echo > /real/w/p; ln -s /real/w/p /etc/passwd', '/x'],
    ['mkdir /x; ln -s /etc /x/w; /bin/busybox mkfifo /etc/passwd', '/x/w'],
    ['mkdir /x; ln -s ../.. /x/w', '/x/w'],
    ['mkdir /x; echo > /x/w', '/x/w'],
    ['echo > /x', '/x'],
  ] as const) {
    const mounts = [{ volume: 'data', at: '/x/w' as const }];
    const { code, message } = await failureOf(at.runtime.start({ ...(await after(change)), mounts }));
    // Docker 28 itself looks into no container that has a volume behind a link.
    if (engine.supportsVersion('1.51') && change.includes('ln -s')) assert.equal(code, 'cant_run');
    else assert.match(message, new RegExp(`volume at /x/w leads through “${path}”`));
    assert.deepEqual(await at.runtime.list(), []);
  }
  // Volumes of its own are over what an engine looks at before it mounts them, and over what stays.
  const links = 'mkdir -p /a /home/site; ln -s /home/site /a/b; ln -s /etc /home/site/l';
  for (const [volume, code] of [
    ['/etc', 'odd_users'],
    ['/a/../etc/', 'odd_users'],
    ['/a/b', 'volume_through_link'],
    ['/home/site/l', 'volume_covered'],
    [`/a${'/a'.repeat(60)}`, 'volumes_deep'],
  ] as const) {
    const order = await after(links, `VOLUME ["${volume}"]`);
    const failure = await failureOf(at.runtime.start(order));
    assert.equal(
      failure.code,
      engine.supportsVersion('1.51') && volume === '/a/b' ? 'cant_run' : code,
      volume,
    );
  }
  // What another release left there is not what the image itself has.
  const before = await after('true');
  assert.deepEqual((await runCommand(at, before, 'ln -s /real/w /home/site/l')).lines, []);
  const byHome =
    'mkdir -p /real /home/site; echo > /real/w; /bin/busybox mkfifo /home/site/l; ln -s /home/site/l /etc/passwd';
  const led = { ...(await after(byHome)), labels: before.labels };
  assert.equal((await failureOf(at.runtime.start(led))).code, 'odd_users');
  assert.deepEqual(await at.runtime.list(), []);
  const elsewhere = await after('echo > a; ln -s ../srv/a /etc/passwd', 'VOLUME /v /home');
  const both = { ...elsewhere, mounts: [...elsewhere.mounts, { volume: 'v', at: '/v' as const }] };
  assert.equal((await at.runtime.start(both)).ended, undefined);
});

withEngine('the way of a link to an image’s users is gone as the kernel goes it', async (_at, engine) => {
  /** What is there: a link, a pipe, or a file of so many bytes. */
  type There = `-> ${string}` | 'pipe' | number;
  const put = (all: Readonly<Record<string, There>>): Readable => {
    const archive = pack();
    for (const [path, there] of Object.entries(all)) {
      const name = path.slice(1);
      if (typeof there === 'number') archive.entry({ name }, Buffer.alloc(there));
      else if (there === 'pipe') archive.entry({ name, type: 'fifo' });
      else archive.entry({ name, type: 'symlink', linkname: there.slice(3) });
    }
    archive.finalize();
    return Readable.from(archive);
  };
  const failureWith = async (all: Readonly<Record<string, There>>) => {
    const order = { Image: NODE, Cmd: ['true'], Labels: {}, HostConfig: {} };
    const id = await engine.create(newId(), order, NEVER);
    try {
      await engine.putFiles(id, '/', put(all), NEVER);
      await placeFolders(engine, id, { folders: ['/v', '/home/site'], isOwnImage: true }, NEVER);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof RuntimeFailure, String(error));
      return error.reason.code;
    } finally {
      await engine.remove(id, NEVER);
    }
  };
  const users = '/etc/passwd';
  for (const plain of [
    { [users]: 9 },
    { '/srv/a': 9, [users]: '-> ../srv/./a' },
    { '/srv/a': 9, '/srv/b': '-> a', '/s': '-> //srv', [users]: '-> /s/b' },
    { '/real/passwd': 9, '/etc/alternatives/x': '-> /real/passwd', [users]: '-> alternatives/x' },
    { [users]: '-> /none' },
  ] as const)
    assert.equal(await failureWith(plain), undefined, JSON.stringify(plain));
  for (const odd of [
    { '/srv/a': 'pipe', [users]: '-> /srv/a' },
    { '/srv/b': '-> /dev', '/etc/group': '-> /srv/b/stdout' },
    { '/etc/group': '-> /proc/self/fd/1' },
    { [users]: '-> /home/site/users' },
    { '/srv/a': 2 ** 20 + 1, [users]: '-> /srv/a' },
    { '/srv/a': 9, [users]: '-> /srv' },
    // An engine may look up who has a link while it tells where that leads.
    { '/srv/a': 9, [users]: '-> /srv/a', '/etc/group': 'pipe' },
    { '/srv/a': 9, [users]: '-> /srv/a', '/srv/b': 'pipe', '/etc/group': '-> /srv/b' },
    // An engine goes on where nothing is, or a file, and what is in a volume may be a link by the next start.
    { '/srv/a': 9, [users]: '-> /srv/none/../a' },
    { '/srv/a': 9, [users]: '-> /srv/a/../a' },
    { '/srv/a': 9, [users]: '-> /v/none/../../srv/a' },
    { [users]: '-> /srv/\ufffd' },
  ] as const)
    assert.equal(await failureWith(odd), 'odd_users', JSON.stringify(odd));
});

withEngine('a site that makes a pipe of its users’ file holds up nothing', async (at) => {
  const pipe =
    'require("fs").rmSync("/etc/passwd", { force: true }); require("child_process").execFileSync("/bin/busybox", ["mkfifo", "/etc/passwd"]);';
  const files = { 'server.js': `${pipe}${serverCode('1')}`.replace('process.env.PORT', '9000') };
  const site = siteOf(
    [`FROM ${NODE}`, 'COPY busybox /bin/busybox', 'COPY server.js .', 'CMD ["node", "server.js"]'],
    files,
  );
  const order = await buildStartOrder(at, withBusybox(site));
  await at.runtime.start(order);
  let ports: readonly number[] | undefined;
  await until(async () => {
    ports = await at.runtime.listening?.(order.instance);
    return ports !== undefined && ports.length > 0;
  });
  assert.deepEqual(ports, [9000]);
  await at.runtime.stop(order.instance, 1_000);
  assert.deepEqual(await at.runtime.list(), []);
});
