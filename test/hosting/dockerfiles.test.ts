import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, symlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { connectToEngine } from '../../server/hosting/engine/connection.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import {
  buildStartOrder,
  CONNECT_PROGRAM,
  containersOfFile,
  openTestRuntime,
  runCommand,
} from '../support/containers.ts';
import { newApplication, verifiedUser } from '../support/deployed.ts';
import {
  failureOf,
  imageOf,
  serverFile,
  siteOf,
  startAndAsk,
  untaggedImages,
  withBusybox,
} from '../support/dockerfiles.ts';
import { imagesOf, NODE } from '../support/engine.ts';
import { createRepository } from '../support/git.ts';
import { spawnReadyServer } from '../support/process.ts';
import { answerOf, buildSite, SETTINGS, startBuilt } from '../support/runtime.ts';
import { temporaryDatabase } from '../support/server.ts';
import { until } from '../support/until.ts';

const NEVER = new AbortController().signal;

const { withAny, withEngine } = containersOfFile();

withEngine('a stage of a Dockerfile is built with its arguments, and runs as it says', async (at) => {
  const site = siteOf(
    [
      'ARG BASE=none',
      'FROM $BASE AS base',
      'WORKDIR /srv',
      'COPY server.js .',
      'ENV NODE_ENV=own HOME_OF=x',
      'FROM base AS made',
      'ARG WORD',
      'RUN echo "$WORD" > word && mkdir /out && cp word /out/',
      'FROM base AS web',
      'COPY --from=made /out/word .',
      'EXPOSE 3000/tcp 53/udp',
      'USER 1234',
      'CMD ["node", "server.js"]',
      'FROM nowhere.invalid/none AS last',
      'RUN false',
    ],
    serverFile(
      '[process.cwd(), require("fs").readFileSync("word"), process.getuid(), process.env.NODE_ENV, process.env.PORT]',
    ),
    { target: 'web', args: { BASE: NODE, WORD: 'שלום; $(false)' } },
  );
  // A stage that the target does not need is not built.
  const order = await buildStartOrder(at, site);
  assert.equal(order.command, '');
  assert.deepEqual(await startAndAsk(at, order), { port: 3000, text: '/srv,שלום; $(false)\n,1234,own,3000' });
  assert.deepEqual((await startAndAsk(at, { ...order, instance: newId(), port: 8000 })).port, 8000);
  const lines = (
    await runCommand(at, order, 'echo "$HOME" && id -u && echo kept > /home/site/note && echo "$PATH"')
  ).lines;
  assert.deepEqual(lines, ['/', '1234', '/usr/local/bin:/usr/bin:/bin']);
  assert.deepEqual((await runCommand(at, order, 'cat /home/site/note')).lines, ['kept']);
});

withEngine('of what runs as root no more is left than what it gives its rights up by', async (at) => {
  const order = await buildStartOrder(
    at,
    siteOf([`FROM ${NODE}`, 'RUN echo "w:x:77:77::/:/bin/sh" > /etc/passwd', 'CMD ["true"]']),
  );
  const { lines } = await runCommand(
    at,
    order,
    'su w -s /bin/sh -c "id -u"; chown 77 /home/site && id -u; mknod /x c 1 3 2>&1; grep -E "NoNewPrivs|CapEff" /proc/self/status',
  );
  assert.deepEqual(lines.slice(0, 2), ['77', '0']);
  assert.match(lines[2] ?? '', /Operation not permitted/);
  assert.match(lines.slice(3).join(), /CapEff:\s+00000000000004eb.*NoNewPrivs:\s+1/);
  // Its home is open to whoever runs next, whatever was made of it, and otherwise left as it is.
  const closed = await runCommand(at, order, 'stat -c "%u %a" /home/site; chmod 700 /home/site');
  assert.deepEqual(closed.lines, ['77 777']);
  assert.deepEqual((await runCommand(at, order, 'stat -c "%u %a" /home/site')).lines, ['1000 777']);
});

withEngine('an image without a shell runs its own command, and says so of any other', async (at) => {
  const scratch = (...more: string[]) =>
    withBusybox(siteOf(['FROM scratch', 'COPY busybox /busybox', ...more], { 'index.html': 'page' }));
  const order = await buildStartOrder(
    at,
    scratch(
      'COPY index.html /www/',
      'EXPOSE 80',
      'ENTRYPOINT ["/busybox", "httpd", "-f", "-h", "/www"]',
      'CMD ["-p", "80"]',
    ),
  );
  assert.deepEqual(await startAndAsk(at, order), { port: 80, text: 'page' });
  await at.runtime.stop(order.instance, 1_000);
  assert.deepEqual(await at.runtime.list(), []);
  const other = await failureOf(runCommand(at, order, 'echo hello'));
  assert.deepEqual(other, {
    code: 'no_shell',
    message: '`echo hello` can’t be run: the image has no /bin/sh, so only its own command can run.',
  });
  const nothing = await buildStartOrder(at, scratch());
  assert.equal((await failureOf(at.runtime.start(nothing))).code, 'no_own_command');
});

withEngine(
  'no variable is in any layer, and what a .dockerignore leaves out is not either',
  async (at, engine) => {
    const site = siteOf(
      [`FROM ${NODE}`, 'COPY . /srv', 'RUN env > /env; find /srv | sort > /found', 'CMD cat /found /env'],
      {
        '.dockerignore': '**/*.md\n.env\nDockerfile\nodd\n!odd/kept.md\n',
        'a.md': '',
        'deep/b.md': '',
        'deep/c': '',
        '.env': 'SECRET=hush',
        'odd/x': '',
        'odd/kept.md': '',
        שלום: '',
      },
    );
    const order = await buildStartOrder(at, { ...site, variables: { WORD: 'hush hush' } });
    const { lines } = await runCommand(at, order, 'cat /found /env');
    const found = lines.filter((line) => line.startsWith('/srv'));
    // The Dockerfile is always among the files.
    const all = [
      '.dockerignore',
      'Dockerfile',
      'deep',
      'deep/c',
      'odd',
      'odd/kept.md',
      'simcha.json',
      'שלום',
    ];
    assert.deepEqual(found, ['/srv', ...all.map((name) => `/srv/${name}`)].sort());
    assert.doesNotMatch(lines.join('\n'), /hush|SIMCHA|ORIGIN/);
    assert.doesNotMatch(JSON.stringify(await engine.image(imageOf(order), NEVER)), /hush/);
    assert.deepEqual((await runCommand(at, order, 'echo "$WORD"')).lines, ['hush hush']);
  },
);

withEngine('what fails to be built says why, and leaves nothing', async (at, engine) => {
  const own = newId();
  const failing = async (dockerfile: string[], about = {}, files = {}) => {
    const name = { applicationId: own, buildId: newId() };
    return failureOf(buildSite(at, siteOf(dockerfile, files, about), name));
  };
  const from = `FROM ${NODE}`;
  const step = await failing([
    from,
    'RUN echo "Error: earlier"',
    'RUN touch /a',
    'RUN echo "no such thing" >&2; exit 7',
  ]);
  assert.deepEqual(step, {
    code: 'command_failed',
    message: '`echo "no such thing" >&2; exit 7` exited with code 7. Output: “no such thing”.',
  });
  assert.match(
    (await failing([from, 'RUN sh -c "kill -KILL \\$\\$"; exit $?'])).message,
    /was killed by SIGKILL/,
  );
  assert.deepEqual(await failing([from, 'RUN true'], { target: 'web' }), {
    code: 'dockerfile_target',
    message: 'The Dockerfile has no stage "web".',
  });
  const wrong = await failing([from, 'RUN true', from, 'RUNN false']);
  assert.deepEqual([wrong.code, /RUNN/i.test(wrong.message)], ['dockerfile_refused', true]);
  assert.doesNotMatch(wrong.message, /failed to solve/);
  const copied = await failing([from, 'COPY missing /x']);
  assert.deepEqual([copied.code, /missing/.test(copied.message)], ['dockerfile_refused', true]);
  const unknown = await failing(['FROM nowhere.invalid/none']);
  assert.deepEqual([unknown.code, /nowhere\.invalid/.test(unknown.message)], ['dockerfile_refused', true]);
  assert.equal((await failing([from], { dockerfile: 'docker/Dockerfile' })).code, 'dockerfile_missing');
  assert.equal((await failing([from], {}, { '.dockerignore': '[z-a]' })).code, 'dockerignore_line');
  const large = await failing([from, 'RUN dd if=/dev/zero of=/large bs=1M count=80']);
  assert.match(large.message, /^The build’s output uses more than 64 MiB of disk/);
  // A link is no file of the source's.
  const link = {
    ...siteOf([from]),
    prepare: async (folder: string) => {
      await rm(join(folder, 'Dockerfile'));
      await symlink('/etc/hostname', join(folder, 'Dockerfile'));
    },
  };
  assert.equal((await failureOf(buildSite(at, link))).code, 'nothing_found');
  assert.deepEqual(await untaggedImages(engine, own), []);
  assert.deepEqual(await imagesOf(engine, own), []);
});

withEngine('a Dockerfile is built as it is, by all that its engine’s builder knows', async (at, engine) => {
  const cached = siteOf([
    `FROM ${NODE}`,
    'RUN --mount=type=cache,target=/cache date +%s%N >> /cache/x && wc -l < /cache/x > /lines',
    'ARG ROUND',
    'RUN --mount=type=cache,target=/cache echo "$ROUND" >> /cache/x; cat /cache/x',
    'CMD cat /lines',
  ]);
  const round = (word: string) => ({
    ...cached,
    files: { ...cached.files, 'simcha.json': JSON.stringify({ args: { ROUND: word } }) },
  });
  await buildSite(at, round('first'));
  const { lines } = await buildSite(at, round('second'));
  assert.ok(lines.includes('first'), lines.join('\n'));

  const stages = siteOf([
    '# a comment',
    `from ${NODE} as one`,
    'run echo one > \\',
    '    # within a line',
    '    /word',
    `FROM ${NODE} AS two`,
    'RUN echo two > /word',
    'FROM scratch AS both',
    'COPY --from=one /word /one',
    'COPY --from=two /word /two',
    `FROM ${NODE}`,
    'COPY --from=both / /both',
    'RUN cat /both/*',
  ]);
  const both = await buildSite(at, stages);
  assert.deepEqual(both.lines.slice(-2), ['one', 'two'], both.lines.join('\n'));

  const text = siteOf([`FROM ${NODE}`, 'RUN <<EOF', 'echo first', 'echo second', 'EOF']);
  if (engine.supportsVersion('1.42')) {
    const here = await buildSite(at, text);
    assert.deepEqual(here.lines.slice(-2), ['first', 'second']);
  } else {
    // The builder of Docker before 23 needs a newer frontend for it, by `# syntax=docker/dockerfile:1`.
    const { code, message } = await failureOf(buildSite(at, text));
    assert.deepEqual([code, /line 3: unknown instruction: ECHO/.test(message)], ['dockerfile_refused', true]);
  }
});

withAny(
  'labels that a Dockerfile gives make nothing of it a site, nor anybody else’s',
  async (engine, daemon) => {
    const platform = newId();
    await using at = await openTestRuntime(daemon, {}, platform);
    const site = siteOf([`FROM ${NODE}`, 'COPY server.js /', 'CMD node /server.js'], serverFile('1'));
    const order = await buildStartOrder(at, site);
    assert.deepEqual(await startAndAsk(at, order), { port: 8080, text: '1' });
    const victim = order.labels.applicationId;
    const labels = {
      'simcha.platform': platform,
      'simcha.application': victim,
      'simcha.kind': 'site',
      'simcha.instance': `firewall-${platform}`,
      'simcha.about': '{bad',
      'simcha.stage': `${platform}/${victim}`,
      'com.docker.swarm.task.id': 'task',
    };
    const said = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    const hostile = siteOf([`FROM ${NODE}`, `LABEL ${said.join(' ')}`, 'CMD sleep 1000']);
    const its = await buildStartOrder(at, hostile);
    assert.deepEqual(
      (await at.runtime.list()).map(({ instance }) => instance),
      [order.instance],
    );
    await at.runtime.start(its);
    const ids = [order.instance, its.instance];
    assert.deepEqual((await at.runtime.list()).map(({ instance }) => instance).sort(), ids.sort());
    await at.runtime.stop(order.instance, 0);
    await at.builder.forget(victim, NEVER);
    assert.deepEqual(await imagesOf(engine, victim), []);
    assert.deepEqual(
      await engine.volumes({ 'simcha.application': victim, 'simcha.kind': 'build' }, NEVER),
      [],
    );
    assert.equal((await imagesOf(engine, its.labels.applicationId)).length, 1);
    await at.runtime.stop(its.instance, 0);
    await at.builder.forget(its.labels.applicationId, NEVER);
    for (const key of await at.runtime.retainedEnvironments()) await at.runtime.forget(key, NEVER);
  },
);

/** True if a process of a build command, found by its words, runs on the machine. */
const isRunning = (words: string) => spawnSync('pgrep', ['-f', words]).status === 0;

withEngine('a build that somebody cancels ends, and leaves nothing', async (at, engine) => {
  const cancelling = new AbortController();
  const name = { applicationId: newId(), buildId: newId() };
  const site = siteOf([`FROM ${NODE}`, 'RUN trap "" TERM; echo begun; sleep 70001; true']);
  const building = buildSite(at, { ...site, signal: cancelling.signal }, name);
  building.catch(() => {});
  await until(() => isRunning('^sleep 70001'), 60_000);
  cancelling.abort(new Error('cancelled'));
  await assert.rejects(building, /cancelled/);
  await until(() => !isRunning('^sleep 70001'), 10_000);
  assert.deepEqual(await imagesOf(engine, name.applicationId), []);
  assert.deepEqual(await untaggedImages(engine, name.applicationId), []);
});

withAny(
  'a command that hangs ends by the time limit of builds, and leaves nothing',
  async (engine, daemon) => {
    await using at = await openTestRuntime(daemon, { appsBuildSeconds: 8 });
    const name = { applicationId: newId(), buildId: newId() };
    const hanging = siteOf([`FROM ${NODE}`, 'RUN trap "" TERM; sleep 70002; true']);
    const failure = failureOf(buildSite(at, hanging, name));
    await until(() => isRunning('^sleep 70002'), 60_000);
    assert.equal((await failure).code, 'too_slow');
    await until(() => !isRunning('^sleep 70002'), 10_000);
    assert.deepEqual(await imagesOf(engine, name.applicationId), []);
    assert.deepEqual(await untaggedImages(engine, name.applicationId), []);
  },
);

withEngine(
  'a build reaches no private network, nor the machine, unless it is allowed',
  async (at, engine, daemon) => {
    await using listener = createServer((socket) => socket.on('error', () => {}).end()).listen(0, '0.0.0.0');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const ask = async ({ builder }: Pick<typeof at, 'builder'>, host: string, to = port) => {
      const connect = `node -e '${CONNECT_PROGRAM.replaceAll('\n', ' ')}' ${host} ${to}`;
      // The variable keeps the command out of the build cache.
      const { lines } = await buildSite(
        { builder },
        siteOf([`FROM ${NODE}`, `RUN : ${newId()}; ${connect}`]),
      );
      return lines.find((line) => /^(?:reached|E[A-Z]+)$/.test(line));
    };
    /** Removes the rules of former builds, and the containers that would restore them. */
    const removeFirewalls = async () => {
      for (const { Id } of await engine.containers({ 'simcha.kind': 'firewall' }, NEVER))
        await engine.remove(Id, NEVER);
      daemon.inside('sh', '-c', "iptables-save | grep -v -- '-i docker0+ -j SIMCHA' | iptables-restore");
    };
    await removeFirewalls();
    await using open = await openTestRuntime(daemon, { appsIsolation: 'none' });
    assert.equal(await ask(open, daemon.here), 'reached');
    assert.equal(await ask(at, daemon.here), 'ENETUNREACH');
    assert.equal(await ask(at, '169.254.169.254'), 'ENETUNREACH');
    assert.equal(await ask(at, daemon.there, 22), 'EHOSTUNREACH');
    await removeFirewalls();
    await using allowing = await openTestRuntime(daemon, { appsAllowNetworks: [`${daemon.here}/32`] });
    assert.equal(await ask(allowing, daemon.here), 'reached');
    assert.equal(await ask(allowing, '169.254.169.254'), 'ENETUNREACH');
  },
);

withEngine(
  'an image stays until it is pruned, its steps are cached, and the cache is bounded',
  async (at, engine, { socket }) => {
    const applicationId = newId();
    const site = (word: string) =>
      siteOf([
        `FROM ${NODE} AS made`,
        'RUN head -c 8 /dev/urandom | base64 > /same',
        `RUN echo ${word} > /word; head -c 40000000 /dev/urandom > /large; rm /large`,
        `FROM ${NODE}`,
        'LABEL simcha.platform=none simcha.application=none',
        'COPY --from=made /same /word /',
        'CMD ["cat", "/same", "/word"]',
      ]);
    const turn = async (word: string) => {
      const made = await buildSite(at, site(word), { applicationId, buildId: newId() });
      return { ...made, cached: made.lines.filter((line) => /^CACHED/.test(line)).length };
    };
    const first = await turn('a');
    const again = await turn('a');
    assert.ok(again.cached > first.cached, again.lines.join('\n'));
    const second = await turn('b');
    assert.ok(second.cached >= 1, second.lines.join('\n'));
    assert.deepEqual(await untaggedImages(engine, applicationId), []);
    await at.builder.prune(applicationId, [first.name.buildId], NEVER);
    assert.equal(await at.builder.has(first.name, first.artifact), false);
    assert.equal(await at.builder.has(second.name, second.artifact), true);
    assert.deepEqual(
      (await at.builder.builds(applicationId)).sort(),
      [again, second].map(({ name }) => name.buildId).sort(),
    );
    await at.builder.forget(applicationId, NEVER);
    assert.deepEqual(await untaggedImages(engine, applicationId), []);
    assert.deepEqual(await imagesOf(engine, applicationId), []);
    const connection = await connectToEngine(socket, NEVER);
    const cacheBytes = async () => {
      const { BuildCache: records } = await connection.ask<{
        BuildCache: { Size: number; Shared: boolean }[];
      }>({
        path: ['system', 'df'],
        signal: NEVER,
      });
      return records.reduce((bytes, { Size, Shared }) => bytes + (Shared ? 0 : Size), 0);
    };
    const fill = (word: string) =>
      siteOf([
        `FROM ${NODE} AS a`,
        `RUN : ${word}; head -c 60000000 /dev/urandom > /large; touch /small`,
        'FROM scratch',
        'COPY --from=a /small /',
      ]);
    const bound = 10 * SETTINGS.appsDiskMb * 2 ** 20;
    for (let turns = 0; turns < 13; turns += 1) await buildSite(at, fill(newId()));
    await until(async () => (await cacheBytes()) <= bound, 20_000);
    assert.ok((await cacheBytes()) > bound / 4);
    connection.close();
  },
);

withEngine('what takes requests is started as any site, and told what any site is', async (at) => {
  const site = siteOf(
    [`FROM ${NODE}`, 'COPY server.js /', 'CMD node /server.js'],
    serverFile('[process.env.WORD, process.env.SIMCHA_URL]'),
  );
  const made = await buildSite(at, { ...site, variables: { WORD: 'told' } });
  const { instance } = await startBuilt(at, made, { WORD: 'told' });
  assert.equal(await answerOf(instance), 'told,http://demo.localhost:3000');
  await instance.stop(2_000);
});

withAny('a repository with a Dockerfile is deployed by it', async (engine, { socket, subnets }) => {
  await using database = await temporaryDatabase('embedded');
  const site = siteOf(
    [`FROM ${NODE}`, 'WORKDIR /srv', 'COPY server.js .', 'EXPOSE 4000', 'CMD ["node", "server.js"]'],
    {
      ...serverFile('[process.env.WORD, process.env.PORT]'),
      'package.json': '{"scripts":{"start":"exit 1"}}',
    },
    { release: 'test -n "$WORD" && echo "before, in $(pwd)"' },
  );
  await using repository = await createRepository(site.files);
  const env = {
    ...database.env,
    APPS_RUNTIME: 'docker',
    APPS_ENGINE: socket,
    APPS_SUBNETS: subnets,
    APPS_IMAGE_NODE: NODE,
    REGISTRATION: 'example.com',
    APPS_GIT_PROTOCOLS: 'file',
    RATE_LIMIT: '1000000',
  };
  const platform = await spawnReadyServer(env);
  try {
    const user = await verifiedUser(platform.url, database.env.DATA_DIR);
    const app = await newApplication(user.call, platform.url, repository.address);
    const { body } = await app.call('GET', '/plan');
    assert.deepEqual(
      [body.plan.dockerfile, body.plan.processes, body.plan.steps],
      [{ file: 'Dockerfile', target: null, args: {} }, { web: '' }, []],
    );
    for (const word of ['one', 'two']) {
      assert.equal((await app.call('PATCH', '/env', { WORD: word })).status, 200);
      const id = await app.ask();
      await app.expect(id, 'live');
      assert.deepEqual(await app.visit(), { status: 200, text: `${word},4000` });
      assert.ok((await app.log(id)).includes('before, in /srv'));
      assert.equal(
        (await app.log(id)).includes('Only settings for running the site have changed'),
        word === 'two',
      );
    }
    assert.equal((await app.call('DELETE')).status, 204);
    await until(async () => (await imagesOf(engine, app.uuid)).length === 0);
  } finally {
    platform.child.kill('SIGTERM');
    await platform.ended;
  }
});

withEngine(
  'what a command starts in an image of its own is asked to end, whatever that is asked by',
  async (at) => {
    const files = {
      'bye.js':
        'process.on("SIGTERM", () => { setTimeout(() => { console.log("asked"); process.exit(); }, 1500); }); setInterval(() => {}, 1e6); console.log("there");',
    };
    const order = await buildStartOrder(
      at,
      siteOf([`FROM ${NODE}`, 'COPY bye.js .', 'STOPSIGNAL SIGQUIT'], files),
    );
    await at.runtime.start({ ...order, command: 'node bye.js; true' });
    const lines: string[] = [];
    const signal = AbortSignal.timeout(60_000);
    const heard = (async () => {
      for await (const some of at.runtime.logs(order.instance, { since: undefined, signal }))
        lines.push(...some.lines);
    })();
    await until(() => lines.includes('there'));
    await at.runtime.stop(order.instance, 20_000);
    await heard;
    assert.deepEqual(lines, ['there', 'asked']);
  },
);
