import assert from 'node:assert/strict';
import { newId } from '../../../server/kernel/identifiers.ts';
import { buildStartOrder, containersOfFile, openTestRuntime } from '../../support/containers.ts';
import {
  failureOf,
  serverFile,
  siteOf,
  startAndAsk,
  untaggedImages,
  withBusybox,
} from '../../support/dockerfiles.ts';
import { imagesOf, NODE } from '../../support/engine.ts';
import { buildSite, serverCode } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';

const NEVER = new AbortController().signal;

const { withAny, withEngine } = containersOfFile();

withAny(
  'a build that hangs its engine by a pipe keeps nobody waiting for longer than its end',
  async (engine, daemon) => {
    await using at = await openTestRuntime(daemon, { appsBuildSeconds: 20 });
    const pipe = 'rm -f /etc/passwd; /busybox mkfifo /etc/passwd; echo begun';
    const site = siteOf([`FROM ${NODE}`, 'COPY busybox /busybox', `RUN ${pipe}`, 'RUN true']);
    const name = { applicationId: newId(), buildId: newId() };
    const hangs = failureOf(buildSite(at, withBusybox(site), name));
    const other = await buildStartOrder(
      at,
      siteOf([`FROM ${NODE}`, 'RUN echo > /a', 'COPY server.js /', 'CMD node /server.js'], serverFile('1')),
    );
    assert.deepEqual(await startAndAsk(at, other), { port: 8080, text: '1' });
    assert.equal((await hangs).code, 'too_slow');
    // Images are removed meanwhile, and other builds go on.
    await at.runtime.stop(other.instance, 0);
    for (const id of [name.applicationId, other.labels.applicationId]) {
      await at.builder.forget(id, NEVER);
      assert.deepEqual(await untaggedImages(engine, id), []);
      assert.deepEqual(await imagesOf(engine, id), []);
    }
    await buildStartOrder(at, siteOf([`FROM ${NODE}`, `RUN echo ${newId()}`]));
    for (const key of await at.runtime.retainedEnvironments()) await at.runtime.forget(key, NEVER);
  },
);

withEngine('no volume is put behind a link of an image', async (at, engine) => {
  const after = async (change: string, ...more: string[]) => {
    const lines = [`FROM ${NODE}`, `RUN mkdir -p /srv; cd /srv; ${change}`, ...more];
    const site = siteOf([...lines, 'COPY server.js /', 'CMD ["node", "/server.js"]'], serverFile('"up"'));
    return buildStartOrder(at, site);
  };
  // Docker 28 itself looks into no container that has a volume behind a link.
  const isNewer = engine.supportsVersion('1.51');
  for (const [change, path] of [
    ['mkdir -p /real/w; ln -s /real /x', '/x'],
    ['mkdir /x; ln -s /etc /x/w', '/x/w'],
    ['mkdir /x; ln -s ../.. /x/w', '/x/w'],
    ['mkdir /x; echo > /x/w', '/x/w'],
    ['echo > /x', '/x'],
  ] as const) {
    const mounts = [{ volume: 'data', at: '/x/w' as const }];
    const { code, message } = await failureOf(at.runtime.start({ ...(await after(change)), mounts }));
    if (isNewer && change.includes('ln -s')) assert.equal(code, 'cant_run');
    else assert.match(message, new RegExp(`volume at /x/w leads through “${path}”`));
    assert.deepEqual(await at.runtime.list(), []);
  }
  // Volumes of its own are over what stays.
  const links = 'mkdir -p /a /home/site; ln -s /home/site /a/b; ln -s /etc /home/site/l';
  for (const [volume, code] of [
    ['/a/b', isNewer ? 'cant_run' : 'volume_through_link'],
    ['/home/site/l', 'volume_covered'],
  ] as const) {
    const order = await after(links, `VOLUME ["${volume}"]`);
    assert.equal((await failureOf(at.runtime.start(order))).code, code, volume);
  }
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
