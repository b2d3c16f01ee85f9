import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { after } from 'node:test';
import { passwordsFor } from '../../commands/cluster/registry.ts';
import { makeBaseImages } from '../support/base-images.ts';
import { createClient } from '../support/client.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { type Checkout, checkOut, startGitDaemon, untilReady } from '../support/compose.ts';
import { newApplication, versionSite, visitSite } from '../support/deployed.ts';
import { engineOfFile } from '../support/engine.ts';
import { createRepository, type TestRepository } from '../support/git.ts';
import { repeatUntilEnded } from '../support/repeat.ts';
import { KEY, SECRET } from '../support/server.ts';
import { type MailServer, startMailServer } from '../support/smtp.ts';
import { until } from '../support/until.ts';

// The image and the compose files as an operator has them, with Debian's dockerd and docker-compose.

const FILES = { alone: 'compose.yaml', docker: 'compose.docker.yaml', cluster: 'compose.cluster.yaml' };
const POSTGRES_PASSWORD = 'a1b2c3';
/** Where compose.cluster.yaml has it on one machine. */
const REGISTRY = { address: '127.0.0.1:5000', user: 'simcha', password: 'd4e5f6' };
const EVENT = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };

let at: Checkout;
let mail: MailServer;
let repositories: { site: TestRepository; files: TestRepository };
let git: Awaited<ReturnType<typeof startGitDaemon>>;
let builtIn = 0;

const { withEngine } = engineOfFile(async (_engine, { socket, here, subnets }) => {
  await makeBaseImages(socket);
  at = await checkOut(socket);
  mail = await startMailServer({ host: here });
  repositories = {
    site: await createRepository(versionSite('v')),
    files: await createRepository({ 'index.html': 'ברוכים הבאים' }),
  };
  git = await startGitDaemon(here, dirname(new URL(repositories.site.address).pathname));
  await at.set({
    POSTGRES_PASSWORD,
    SMTP_URL: `smtp://${here}:${mail.port}?tls.rejectUnauthorized=false`,
    DOCKER_SOCKET: socket,
    DOCKER_GID: String((await stat(socket)).gid),
    APPS_SUBNETS: subnets,
    APPS_GIT_PROTOCOLS: 'git',
    APPS_ALLOW_PRIVATE_HOSTS: 'true',
    APPS_IMAGE_NODE: 'node:22-bookworm-slim',
  });
  const begun = performance.now();
  await at.compose(FILES.alone, 'build', '--quiet', 'simcha');
  builtIn = performance.now() - begun;
});
after(async () => {
  await git?.[Symbol.asyncDispose]();
  for (const one of Object.values(repositories ?? {})) await one[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
  await at?.[Symbol.asyncDispose]();
});

/** A developer who read the code in their mail. */
async function developer(url: string, email: string) {
  const { body } = await createClient(url)('POST', '/api/v1/users/register', { body: { email } });
  const letter = (await mail.mailTo(email)).part('text/plain');
  const code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(letter)?.[0];
  const call = createClient(url, { headers: { 'x-api-key': body.api_key } });
  const verified = await call('POST', '/api/v1/users/verify', { body: { code, email } });
  assert.equal(verified.status, 200, verified.text);
  return call;
}

const addressOf = ({ address }: TestRepository) => git.address(basename(address));

/** A site with a process and one of files, each deployed and asked for. */
async function deployBoth(url: string, email: string) {
  const call = await developer(url, email);

  const site = await newApplication(call, url, addressOf(repositories.site));
  const files = await newApplication(call, url, addressOf(repositories.files));
  for (const app of [site, files]) await app.deploy();
  return { site, files };
}

/** Started by one of the compose files, and nothing of it left at the end. */
async function started(file: string, ...services: string[]) {
  await at.compose(file, 'up', '-d', ...services);
  return {
    [Symbol.asyncDispose]: async () => {
      await at.compose(file, 'down', '--volumes', '--remove-orphans');
    },
  };
}

const logged = (container: string, words: RegExp): Promise<void> =>
  until(async () => words.test(await at.docker('logs', container)));

const stateOf = (container: string, what: string) =>
  at.docker('inspect', '--format', `{{${what}}}`, container);

withEngine(
  'the image has what runs and nothing else, for a user who owns nothing of it',
  async (engine, _daemon, t) => {
    const { Size: size = 0 } = (await engine.image('simcha', new AbortController().signal)) ?? {};
    t.diagnostic(`the image: ${Math.round(size / 1e6)} MB, built in ${Math.round(builtIn / 1000)} s`);
    const { version, license, description } = JSON.parse(await readFile(`${at.folder}/package.json`, 'utf8'));
    const { User, Labels } = JSON.parse(await at.docker('inspect', '--format', '{{json .Config}}', 'simcha'));
    assert.equal(User, 'simcha');
    assert.deepEqual(Labels, {
      'org.opencontainers.image.title': 'Simcha',
      'org.opencontainers.image.description': description,
      'org.opencontainers.image.licenses': license,
      'org.opencontainers.image.version': version,
    });
    const within = (script: string) =>
      at.docker('run', '--rm', '--user', 'root', '--entrypoint', 'sh', 'simcha', '-c', script);
    assert.match(await within('node --version'), /^v26\./);
    assert.equal(await within('find / -xdev -user simcha; find /data -mindepth 1'), '/data');
    assert.equal(
      await within('ls -A /app'),
      'LICENSE\ncommands\ndist\nexamples\nnode_modules\npackage.json\nserver\nweb',
    );
    // The server's user starts from code that the build has compiled.
    const loaded = await at.docker(
      'run',
      '--rm',
      '--env',
      'NODE_DEBUG_NATIVE=COMPILE_CACHE',
      '--entrypoint',
      'sh',
      'simcha',
      '-c',
      'node server/main.js no-such-part 2>&1 || true',
    );
    assert.match(loaded, /There is no part "no-such-part"/);
    assert.match(loaded, /code cache for ESM \S*\/dist\/serve\.js was accepted/);
    assert.equal(await within('find /app/server -name "*.test.ts"; find /app -xtype l'), '');
    assert.equal(
      await within('ls -A /app/web /app/web/dist/index.html'),
      '/app/web/dist/index.html\n\n/app/web:\ndist',
    );
  },
);

withEngine(
  'compose.yaml starts it with PostgreSQL, and what is there stays over restarts',
  async (_engine, { there }) => {
    await using _up = await started(FILES.alone);
    const url = `http://${there}:3000`;
    await untilReady(url);
    const container = at.containerOf('simcha');
    await until(async () => (await stateOf(container, '.State.Health.Status')) === 'healthy');
    const simcha = (...words: string[]) => at.compose(FILES.alone, 'exec', '-T', 'simcha', ...words);
    assert.equal(await simcha('id', '-un'), 'simcha');
    await assert.rejects(
      at.docker('exec', '--user', 'root', container, 'touch', '/app/server/main.js'),
      /Read-only file system/,
    );
    assert.match(await simcha('cat', '/proc/1/status'), /^CapBnd:\t0+\n(.+\n)*NoNewPrivs:\t1$/m);

    const token = await simcha('node', 'commands/token.ts', '--sub', 'me');
    const organizer = createClient(url, { token });
    const { status, body, text } = await organizer('POST', '/api/events', { body: EVENT });
    assert.equal(status, 201, text);
    const call = await developer(url, 'noa@example.com');
    const app = await newApplication(call, url, git.address('none'));

    await at.compose(FILES.alone, 'restart', 'simcha');
    assert.equal(await stateOf(container, '.State.ExitCode'), '0');
    await untilReady(url);
    assert.equal((await organizer('GET', `/api/events/${body.event.id}`)).body.event.title, EVENT.title);
    assert.equal((await call('GET', app.at)).status, 200);

    // Without what compose.sandbox.yaml gives it, it runs nobody's site, and says so.
    await at.compose(FILES.alone, 'rm', '--force', '--stop', 'simcha');
    await at.compose(FILES.alone, 'up', '-d');
    await untilReady(url);
    assert.equal((await organizer('GET', `/api/events/${body.event.id}`)).status, 200);
    await logged(container, /no site is built or run: .*Couldn't create user namespace/);
  },
);

withEngine('what compose.sandbox.yaml opens is what the sandbox needs', async (_engine, { there }) => {
  await using _up = await started(FILES.alone, 'database');
  // This docker-compose hands all of them to the engine, which does not know `systempaths`; docker itself does.
  const text = await readFile(`${at.folder}/compose.sandbox.yaml`, 'utf8');
  const options = [...text.matchAll(/^ {6}- (\S+)$/gm)].flatMap(([, option = '']) => [
    '--security-opt',
    option,
  ]);
  const [, device = ''] = /^ {4}devices: \[(\S+)\]$/m.exec(text) ?? [];
  const simcha = async (name: string, ...given: string[]) => {
    await at.docker(
      'run',
      '--detach',
      '--name',
      name,
      '--network',
      at.network,
      '--publish',
      '3000:3000',
      '--env-file',
      '.env',
      '--env',
      'APPS_ISOLATION=sandbox',
      '--env',
      `DATABASE_URL=postgres://simcha:${POSTGRES_PASSWORD}@database:5432/simcha`,
      '--volume',
      `${at.volumeOf('simcha')}:/data`,
      '--read-only',
      '--tmpfs',
      '/tmp',
      '--cap-drop',
      'ALL',
      '--security-opt',
      'no-new-privileges',
      ...given,
      'simcha',
    );
  };
  try {
    const url = `http://${there}:3000`;
    await simcha('sandboxed', '--device', device, ...options);
    await untilReady(url);
    await logged(
      'sandboxed',
      /sites and builds run in a sandbox, each with its own users, files, processes and network"/,
    );
    const { site, files } = await deployBoth(url, 'sandbox@example.com');
    assert.equal((await site.visit()).text, 'v ');
    assert.equal((await files.visit()).text, 'ברוכים הבאים');
    await at.docker('rm', '--force', 'sandboxed');

    // Each of them is needed: but for one that this machine has no use for, and one that takes nothing away.
    assert.equal(options.length, 6);
    for (const left of ['seccomp=unconfined', 'systempaths=unconfined']) {
      const others = options.filter((_, index) => options[index - (index % 2) + 1] !== left);
      await simcha('without', '--device', device, ...others);
      assert.equal(await at.docker('wait', 'without'), '1', left);
      await at.docker('rm', '--force', 'without');
    }
    await simcha('without', ...options);
    assert.equal(await at.docker('wait', 'without'), '1');
  } finally {
    await at.docker('rm', '--force', 'sandboxed', 'without').catch(() => {});
    await at.docker('volume', 'rm', at.volumeOf('simcha')).catch(() => {});
  }
});

/** Asks for a site again and again, and tells all that was answered. */
function asking(url: string, host: string) {
  const answers = new Set<string>();
  const asked = repeatUntilEnded(async () => {
    const { status, text } = await visitSite(url, host).catch((error) => ({
      status: 0,
      text: String(error),
    }));
    answers.add(`${status} ${text}`);
  }, 20);
  return {
    async end(): Promise<string[]> {
      await asked.end();
      return [...answers];
    },
  };
}

/** Ends what a platform left on the engine: its sites outlive it. */
async function clear(): Promise<void> {
  for (const [list, remove] of [
    [
      ['ps', '--all'],
      ['rm', '--force'],
    ],
    [
      ['network', 'ls'],
      ['network', 'rm'],
    ],
    [
      ['volume', 'ls'],
      ['volume', 'rm'],
    ],
  ] as const) {
    const ids = await at.docker(...list, '--quiet', '--filter', 'label=simcha.platform');
    if (ids !== '') await at.docker(...remove, ...ids.split('\n'));
  }
}

withEngine(
  'with compose.docker.yaml sites are containers beside it, and a newer image goes on with them',
  async (_engine, { there }) => {
    await using _up = await started(FILES.docker);
    try {
      const url = `http://${there}:3000`;
      await untilReady(url);
      const { site, files } = await deployBoth(url, 'docker@example.com');
      const who = (await site.visit('/who')).text;
      assert.equal((await files.visit()).text, 'ברוכים הבאים');

      const before = await stateOf(at.containerOf('simcha'), '.Image');
      await newerImage();
      await at.compose(FILES.docker, 'up', '-d');
      assert.notEqual(await stateOf(at.containerOf('simcha'), '.Image'), before);
      await untilReady(url);
      await until(async () => (await site.visit()).status === 200);
      assert.equal((await site.visit('/who')).text, who, 'the same process as before');
      assert.equal((await files.visit()).text, 'ברוכים הבאים');
      await site.deploy();
    } finally {
      await at.compose(FILES.docker, 'stop');
      await clear();
    }
  },
);

withEngine(
  'of compose.cluster.yaml a platform is killed, and all are upgraded, while both gateways serve every site',
  async (_engine, { socket, there }) => {
    await at.docker('swarm', 'init', '--advertise-addr', there);
    await at.put('registry.htpasswd', passwordsFor(REGISTRY));
    await at.set({
      DATABASE_URL: `postgres://simcha:${POSTGRES_PASSWORD}@127.0.0.1:5432/simcha`,
      APPS_REGISTRY: `http://${REGISTRY.user}:${REGISTRY.password}@${REGISTRY.address}/sites`,
      ENCRYPTION_KEY: KEY,
      JWT_SECRET: SECRET,
    });
    await using _up = await started(FILES.cluster, 'registry');
    try {
      // Nobody has images from there without its password.
      const pulled = () => at.docker('pull', `${REGISTRY.address}/node:test`).catch(String);
      await until(async () => (await pulled()).includes('no basic auth credentials'));
      await at.set(await clusterSettings({ nodes: [{ socket }], registry: REGISTRY }));
      await at.compose(FILES.cluster, 'up', '-d');

      const platforms = ['platform-1', 'platform-2'];
      const urls = [`http://${there}:3001`, `http://${there}:3002`] as const;
      const gateways = [`http://${there}:8081`, `http://${there}:8082`] as const;
      for (const url of [...urls, ...gateways]) await untilReady(url);
      const { site, files } = await deployBoth(urls[0], 'cluster@example.com');
      const who = (await visitSite(gateways[0], site.host, '/who')).text;
      const logs = await Promise.all(platforms.map((one) => at.docker('logs', at.containerOf(one))));
      const holder = logs.findIndex((log) => log.includes('this server runs the sites'));
      const [held = '', other = ''] = holder === 0 ? platforms : platforms.toReversed();
      const otherUrl = urls[1 - holder] ?? '';

      const all = gateways.flatMap((url) => [site, files].map(({ host }) => asking(url, host)));
      // As a machine ends that is switched off: it does not start it again.
      await at.docker('kill', at.containerOf(held));
      await logged(at.containerOf(other), /this server runs the sites/);
      const call = await developer(otherUrl, 'later@example.com');
      const next = await newApplication(call, otherUrl, addressOf(repositories.site));
      await next.deploy();
      assert.equal((await visitSite(gateways[0], next.host)).text, 'v ');

      // What it had goes from the registry, which is told to let go of it.
      assert.equal((await next.call('DELETE')).status, 204);
      const gone = new RegExp(`"DELETE /v2/sites/${next.uuid}/manifests/\\S+ HTTP/1.1" 202 `);
      await logged(at.containerOf('registry'), gone);

      await newerImage();
      for (const one of [held, other]) {
        await at.compose(FILES.cluster, 'up', '-d', one);
        await untilReady(urls[platforms.indexOf(one)] ?? '');
      }
      await until(async () => (await createClient(gateways[0])('GET', '/readyz')).body.hosting === 'ok');
      const answers = new Set((await Promise.all(all.map((one) => one.end()))).flat());
      assert.deepEqual([...answers].sort(), ['200 v ', '200 ברוכים הבאים']);
      for (const url of gateways)
        assert.equal((await visitSite(url, site.host, '/who')).text, who, 'the same process as before');

      // One gateway after the other, as behind a proxy that asks the one that is ready.
      for (const [index, url] of gateways.entries()) {
        const staying = asking(gateways[1 - index] ?? '', site.host);
        await at.compose(FILES.cluster, 'up', '-d', `gateway-${index + 1}`);
        await untilReady(url);
        assert.deepEqual(await staying.end(), ['200 v ']);
      }

      // Sites need no registry to go on.
      await at.compose(FILES.cluster, 'stop', 'registry');
      const collect = ['garbage-collect', '/etc/docker/registry/config.yml'];
      assert.match(
        await at.compose(FILES.cluster, 'run', '--rm', 'registry', ...collect),
        /blob eligible for deletion: sha256:/,
      );
      for (const url of gateways) assert.equal((await visitSite(url, site.host)).text, 'v ');
    } finally {
      await at.compose(FILES.cluster, 'stop');
      // With it go the sites, which outlive the platforms.
      await at.docker('swarm', 'leave', '--force');
    }
  },
);

let newer = 0;

/** The image as the next version would be: another one of the same name. */
async function newerImage(): Promise<void> {
  newer += 1;
  await at.put('Dockerfile.newer', `FROM simcha\nLABEL simcha.test=${newer}\n`);
  await at.docker('build', '--quiet', '--tag', 'simcha', '--file', 'Dockerfile.newer', at.folder);
}
