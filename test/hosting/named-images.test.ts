import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { commandLine } from '../support/command-line.ts';
import { containersOfFile } from '../support/containers.ts';
import { applicationClient, verifiedUser } from '../support/deployed.ts';
import { imagesOf, NODE } from '../support/engine.ts';
import { openImageRegistry } from '../support/image-registry.ts';
import { spawnReadyServer } from '../support/process.ts';
import { temporaryDatabase } from '../support/server.ts';
import { until } from '../support/until.ts';

const NEVER = new AbortController().signal;
const APPS = '/api/v1/applications';
const ANSWER = (word: string) =>
  `[${JSON.stringify(word)}, process.env.WORD, process.env.PORT, process.getuid()]`;

const { withAny } = containersOfFile();
let registry: Awaited<ReturnType<typeof openImageRegistry>>;
before(async () => {
  registry = await openImageRegistry();
});
after(() => registry[Symbol.asyncDispose]());

/** Starts a server that may use the tests' registry, with a user. */
async function openWorld({ socket, subnets }: { socket: string; subnets: string }, changed = {}) {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await temporaryDatabase('embedded'));
  const platform = await spawnReadyServer({
    ...database.env,
    APPS_RUNTIME: 'docker',
    APPS_ENGINE: socket,
    APPS_SUBNETS: subnets,
    APPS_IMAGE_NODE: NODE,
    APPS_ALLOW_PRIVATE_HOSTS: 'true',
    APPS_HTTP_REGISTRIES: registry.address,
    APPS_RELEASES_KEPT: '3',
    REGISTRATION: 'example.com',
    RATE_LIMIT: '1000000',
    ...changed,
  });
  opened.defer(async () => {
    platform.child.kill('SIGTERM');
    await platform.ended;
  });
  const user = await verifiedUser(platform.url, database.env.DATA_DIR);
  const all = opened.move();
  return {
    platform,
    user,
    /** Creates an application that runs an image of the registry, with the registry's login. */
    async newApplication(image: string, settings: object = {}) {
      const { user: registry_user, password: registry_password, address } = registry;
      const body = {
        name: 'Image',
        image: `${address}/${image}`,
        registry_user,
        registry_password,
        ...settings,
      };
      const created = await user.call('POST', APPS, { body });
      assert.equal(created.status, 201, created.text);
      const { application_uuid: uuid, domain } = created.body;
      return {
        ...applicationClient(user.call, platform.url, uuid, new URL(domain).hostname),
        body: created.body,
      };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

withAny('an image is deployed by its name, and each release keeps its digest', async (engine, daemon) => {
  await using at = await openWorld(daemon);
  const one = await registry.push(engine, 'who/app:1', ANSWER('one'), ['EXPOSE 4000 53/udp', 'USER 1234']);
  const app = await at.newApplication('who/app:1');
  const name = `${registry.address}/who/app:1`;
  const { source, image, registry_user, registry_password } = app.body;
  assert.deepEqual([source, image, registry_user, registry_password], ['image', name, 'simcha', undefined]);

  const { body: forecast } = await app.call('GET', '/plan');
  assert.deepEqual([forecast.plan?.image, forecast.plan?.processes], [{ name, digest: one }, { web: '' }]);
  assert.deepEqual(
    forecast.findings.map(({ line, value, by }: Record<string, string>) => [line, value, by]),
    [
      ['image', `${name} (${one})`, 'settings'],
      ['start', 'node /srv/server.js', 'image'],
      ['port', '4000', 'image'],
    ],
  );

  assert.equal((await app.call('PATCH', '/env', { WORD: 'told' })).status, 200);
  const first = await app.deploy();
  assert.deepEqual(await app.visit(), { status: 200, text: 'one,told,4000,1234' });
  assert.deepEqual([first.image, first.commit_hash], [{ name, digest: one }, null]);
  const log = await app.log(first.deployment_uuid);
  for (const words of [`image ${name}`, one, 'Pulling ', 'MiB in ', 'The image has ', '[pull] done in'])
    assert.ok(log.includes(words), `${words}\n${log}`);

  // The same digest is no new release, and a change of variables pulls nothing.
  const unchanged = await app.deploy();
  assert.match(await app.log(unchanged.deployment_uuid), /Nothing has changed/);
  assert.equal(unchanged.release_uuid, first.release_uuid);

  // The tag moves on; a rollback runs the former digest.
  const two = await registry.push(engine, 'who/app:1', ANSWER('two'), ['EXPOSE 4000', 'USER 1234']);
  assert.notEqual(two, one);
  const second = await app.deploy();
  assert.equal((await app.visit()).text, 'two,told,4000,1234');
  assert.equal(second.image.digest, two);
  const back = await app.expect(await app.ask('rollback'), 'live');
  assert.equal((await app.visit()).text, 'one,told,4000,1234');
  assert.deepEqual(back.image, { name, digest: one });

  // A request may name another tag of the image, without a change of the application.
  const tagged = await registry.push(engine, 'who/app:next', ANSWER('next'), ['EXPOSE 4000']);
  const plan = await app.call('GET', '/plan?tag=next');
  assert.equal(plan.body.plan.image.digest, tagged);
  const next = await app.expect(await app.ask('deploy', { tag: 'next' }), 'live');
  assert.deepEqual(next.image, { name: `${registry.address}/who/app:next`, digest: tagged });
  assert.match((await app.visit()).text, /^next,/);
  for (const [body, field] of [
    [{ branch: 'main' }, 'branch'],
    [{ tag: 'a/b' }, 'tag'],
  ] as const)
    assert.equal((await app.call('POST', '/deploy', body)).body.field, field);
  await app.expect(await app.ask('rollback'), 'live');

  // A release whose image is gone is pulled again by its digest, whatever its tag means now.
  for (const made of await imagesOf(engine, app.uuid)) await engine.removeImage(made, NEVER);
  const restarted = await app.expect(await app.ask('restart'), 'live');
  assert.equal((await app.visit()).text, 'one,told,4000,1234');
  assert.match(
    await app.log(restarted.deployment_uuid),
    /the release of image [0-9a-f]{12} is not on this machine/,
  );

  // Nothing but the builds' own names keeps the images in the engine.
  const names = (await engine.images({}, NEVER)).flatMap(({ RepoTags }) => RepoTags ?? []);
  assert.ok(!names.some((tag) => tag.startsWith(registry.address)), names.join());
  for (const word of ['three', 'four', 'five']) {
    await registry.push(engine, 'who/app:1', ANSWER(word), ['EXPOSE 4000']);
    await app.deploy();
  }
  // An image whose container was still ending goes after the next deployment.
  await until(async () => {
    await app.deploy();
    return (await imagesOf(engine, app.uuid)).length <= 3;
  });
  for (const text of [at.platform.output(), log, (await app.call('GET', '/history')).text])
    assert.ok(!text.includes(registry.password));
  assert.equal((await app.call('DELETE')).status, 204);
  await until(async () => (await imagesOf(engine, app.uuid)).length === 0);
});

withAny(
  'an image runs with the application’s start command and port, and as root with few rights',
  async (engine, daemon) => {
    await using at = await openWorld(daemon);
    await registry.push(engine, 'bare:v1', '0', ['CMD []']);
    const app = await at.newApplication('bare:v1');
    const failed = await app.deploy('failed');
    assert.equal(failed.reason_code, 'no_command_in_image');
    const capabilities =
      'require("fs").readFileSync("/proc/self/status", "utf8").match(/CapBnd:\\s*(\\w+)/)[1]';
    const code = `require("http").createServer((_, answer) => answer.end(process.getuid() + " " + ${capabilities})).listen(8123)`;
    await app.call('PATCH', '', { start: `node -e '${code}'`, port: 8123 });
    await app.deploy();
    const [uid, rights = ''] = (await app.visit()).text.split(' ');
    assert.equal(uid, '0');
    // CHOWN, DAC_OVERRIDE, FOWNER, KILL, SETGID, SETUID and NET_BIND_SERVICE.
    assert.equal(Number.parseInt(rights, 16).toString(16), '4eb');
    await app.call('DELETE');
  },
);

withAny('a registry that gives nothing fails the deployment with its reason', async (engine, daemon) => {
  await using at = await openWorld(daemon, { APPS_DISK_MB: '100' });
  await registry.push(engine, 'who/other:1', ANSWER('other'));
  for (const [settings, code] of [
    [{ image: `${registry.address}/who/other:2` }, 'named_image_missing'],
    [{ registry_password: 'wrong' }, 'named_image_denied'],
    [{ registry_user: null, registry_password: null }, 'named_image_missing'],
    [{ image: '127.0.0.1:9/who/app:1' }, 'registry_unreached'],
    [{}, 'named_image_too_large'],
  ] as const) {
    const app = await at.newApplication('who/other:1', settings);
    const failed = await app.deploy('failed');
    assert.equal(failed.reason_code, code, failed.reason);
    assert.ok(!failed.reason.includes(registry.password));
    assert.equal(
      (await app.call('GET', '/plan')).body.reason_code,
      code === 'named_image_too_large' ? null : code,
    );
    assert.deepEqual(await imagesOf(engine, app.uuid), []);
  }
});

withAny(
  'a login stays with its registry, and private registries are closed unless allowed',
  async (engine, daemon) => {
    await registry.push(engine, 'who/app:9', ANSWER('nine'));
    await using at = await openWorld(daemon);
    const app = await at.newApplication('who/app:9');
    const same = await app.call('PATCH', '', {
      image: `${registry.address}/who/app:9`,
      start: 'node /srv/server.js',
    });
    assert.equal(same.body.registry_user, 'simcha');
    await app.deploy();
    const moved = await app.call('PATCH', '', { image: 'registry.example.com/who/app:9' });
    assert.deepEqual([moved.status, moved.body.registry_user], [200, null]);
    // The former registry's image still serves, and a rollback that must pull it again has no login for it.
    assert.equal((await app.visit()).status, 200);

    await using closed = await openWorld(daemon, { APPS_ALLOW_PRIVATE_HOSTS: '' });
    const refused = await closed.user.call('POST', APPS, {
      body: { name: 'x', image: `${registry.address}/who/app:9` },
    });
    assert.deepEqual([refused.status, refused.body.field], [400, 'image']);
    assert.match(refused.body.error, /private or local address/);
  },
);

withAny('an image is live by the command line, with its password from stdin', async (engine, daemon) => {
  await using at = await openWorld(daemon);
  await registry.push(engine, 'who/cli:1', ANSWER('one'));
  await registry.push(engine, 'who/cli:2', ANSWER('two'));
  await using simcha = await commandLine({ SIMCHA_URL: at.platform.url, SIMCHA_TOKEN: at.user.key });
  const image = `${registry.address}/who/cli:1`;
  const login = ['--registry-user', registry.user, '--registry-password-stdin'];
  const created = await simcha.run(['apps', 'create', 'By hand', '--image', image, ...login], {
    input: registry.password,
  });
  assert.equal(created.code, 0, created.stderr);
  const deploy = async (...args: string[]) => {
    const record = JSON.parse(await simcha.ok('deploy', '--follow', '--json', ...args));
    assert.equal(record.status, 'live');
    return record.image.name;
  };
  assert.equal(await deploy(), image);
  assert.equal(await deploy('--tag', '2'), `${registry.address}/who/cli:2`);
  assert.equal(await deploy(), image);
  assert.equal(await deploy('--image', `${registry.address}/who/cli:2`), `${registry.address}/who/cli:2`);
  const shown = await simcha.ok('apps', 'show');
  assert.match(shown, /image\t\S+\/who\/cli:2\nregistry user\tsimcha\n/);
  assert.match(await simcha.ok('releases'), /image [0-9a-f]{10}/);
  assert.ok(!(created.stdout + created.stderr + shown).includes(registry.password));
  await simcha.ok('apps', 'delete', '--yes');
});
