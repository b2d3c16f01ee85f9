import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm, symlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
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
import { answerOf, buildSite, startBuilt } from '../support/runtime.ts';
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
  const failure = await failureOf(buildSite(at, site));
  assert.deepEqual([failure.code, /nowhere\.invalid/.test(failure.message)], ['image_unreached', true]);
  const { Dockerfile = '' } = site.files;
  const less = {
    ...site,
    files: { ...site.files, Dockerfile: Dockerfile.replace(/FROM nowhere.*/s, 'FROM base\nRUN false') },
  };
  const order = await buildStartOrder(at, less);
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
    message: '`echo hello` can’t be run: the image has no /bin/sh, and can run its own command alone.',
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
    const all = ['.dockerignore', 'deep', 'deep/c', 'odd', 'odd/kept.md', 'simcha.json', 'שלום'];
    assert.deepEqual(found, ['/srv', ...all.map((name) => `/srv/${name}`)].sort());
    assert.doesNotMatch(lines.join('\n'), /hush|SIMCHA|ORIGIN/);
    assert.doesNotMatch(JSON.stringify(await engine.image(imageOf(order), NEVER)), /hush/);
    assert.deepEqual((await runCommand(at, order, 'echo "$WORD"')).lines, ['hush hush']);
  },
);

withEngine('what fails to be built says why, and leaves nothing', async (at, engine) => {
  const name = () => ({ applicationId: own, buildId: newId() });
  const own = newId();
  const failing = async (dockerfile: string[], about = {}, files = {}) =>
    failureOf(buildSite(at, siteOf(dockerfile, files, about), name()));
  const from = `FROM ${NODE}`;
  const step = await failing([
    from,
    'RUN echo "Error: earlier"',
    'RUN touch /a',
    'RUN echo "no such thing" >&2; exit 7',
  ]);
  assert.deepEqual(step, {
    code: 'command_failed',
    message: '`echo "no such thing" >&2; exit 7` ended with exit code 7. It said: “no such thing”.',
  });
  const greedy = await failing([
    from,
    "RUN node -e 'const all = []; while (true) all.push(Buffer.alloc(1e7, 1))'",
  ]);
  assert.match(greedy.message, /was ended by SIGKILL/);
  const holes = await failing([from, 'RUN truncate -s 900G /large']);
  assert.match(holes.message, /File too large|SIGXFSZ/i);
  assert.deepEqual(await failing([from, 'RUN true'], { target: 'web' }), {
    code: 'dockerfile_target',
    message: 'The Dockerfile has no stage "web".',
  });
  const wrong = await failing([from, 'RUN true', from, 'RUNN false']);
  assert.deepEqual(
    [wrong.code, /line 4: unknown instruction: RUNN/i.test(wrong.message)],
    ['dockerfile_refused', true],
  );
  const copied = await failing([from, 'COPY missing /x']);
  assert.deepEqual([copied.code, /missing/.test(copied.message)], ['dockerfile_refused', true]);
  assert.equal((await failing([from], { dockerfile: 'docker/Dockerfile' })).code, 'dockerfile_missing');
  assert.equal((await failing([from], {}, { '.dockerignore': '[z-a]' })).code, 'dockerignore_line');
  const large = await failing([from, 'RUN dd if=/dev/zero of=/large bs=1M count=80']);
  assert.match(large.message, /^What the build made fills more than 64 MiB of disk/);
  const fill = 'RUN dd if=/dev/zero of=/large bs=1M count=80 && sleep 1000';
  for (const lines of [
    [from, 'LABEL simcha.stage=another', fill],
    [`${from} AS base`, 'ONBUILD LABEL simcha.stage=another', `ONBUILD ${fill}`, 'FROM base'],
  ]) {
    const growing = await failing(lines);
    assert.match(growing.message, /^What the build made fills more than 64 MiB of disk/);
  }
  // A link is no file of the source's.
  const link = {
    ...siteOf([from]),
    prepare: async (folder: string) => {
      await rm(join(folder, 'Dockerfile'));
      await symlink('/etc/hostname', join(folder, 'Dockerfile'));
    },
  };
  assert.equal((await failureOf(buildSite(at, link, name()))).code, 'nothing_found');
  assert.deepEqual(await untaggedImages(engine, own), []);
  // The next builds have the same.
  assert.equal((await engine.networks({ 'simcha.application': own }, NEVER)).length, 1);
  await at.builder.forget(own, NEVER);
  assert.deepEqual(await engine.networks({ 'simcha.application': own }, NEVER), []);
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
      'simcha.instance': `fence-${platform}`,
      'simcha.about': '{bad',
      'simcha.stage': `${platform}/${victim}`,
      'com.docker.swarm.task.id': 'task',
    };
    const said = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    const hostile = siteOf([`FROM ${NODE}`, `LABEL ${said.join(' ')}`, 'RUN sleep 4', 'CMD sleep 1000']);
    const building = buildStartOrder(at, hostile);
    await until(async () => (await engine.containers({ 'simcha.about': '{bad' }, NEVER)).length > 0);
    assert.deepEqual(
      (await at.runtime.list()).map(({ instance }) => instance),
      [order.instance],
    );
    const its = await building;
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

withEngine('a Dockerfile whose variables make it too long is refused before it is built', async (at) => {
  const many = (name: string, of: string) => `ARG ${name}=${of.repeat(20)}`;
  const long = siteOf([
    `FROM ${NODE}`,
    `ARG A=${'x'.repeat(1_000)}`,
    many('B', '$A'),
    many('C', '$B'),
    many('D', '$C'),
    'LABEL big=$D',
  ]);
  assert.equal((await failureOf(buildSite(at, long))).code, 'dockerfile_long');
});

withEngine('a line that opens all ports has no container told by each of them', async (at, engine) => {
  const order = await buildStartOrder(
    at,
    siteOf([`FROM ${NODE}`, 'EXPOSE 1-65535/tcp 1-65535/udp', 'CMD sleep 1000']),
  );
  await at.runtime.start(order);
  const [listed] = await engine.containers({ 'simcha.instance': order.instance }, NEVER);
  assert.deepEqual((listed as unknown as { Ports: unknown }).Ports, []);
});

withEngine('a build that takes too long, or that somebody cancels, ends', async (at, engine) => {
  const cancelling = new AbortController();
  const site = siteOf([`FROM ${NODE}`, 'RUN echo begun && sleep 1000']);
  const building = buildSite(at, { ...site, signal: cancelling.signal });
  const running = async () =>
    (await engine.containers({}, NEVER)).filter(
      ({ State, Labels }) => State === 'running' && Labels['simcha.stage'],
    );
  await until(async () => (await running()).length === 1, 60_000);
  cancelling.abort(new Error('cancelled'));
  await assert.rejects(building, /cancelled/);
  await until(async () => (await running()).length === 0, 30_000);
});

withEngine(
  'a build reaches nothing that a site may not, nor the image of anybody else',
  async (at, engine, daemon) => {
    await using listener = createServer((socket) => socket.on('error', () => {}).end()).listen(0, '0.0.0.0');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const ask = siteOf([
      `FROM ${NODE}`,
      `RUN node -e '${CONNECT_PROGRAM.replaceAll('\n', ' ')}' ${daemon.here} ${port}`,
    ]);
    const { lines } = await buildSite(at, ask);
    assert.ok(lines.includes('ENETUNREACH'), lines.join('\n'));
    await using open = await openTestRuntime(daemon, { appsIsolation: 'none' });
    assert.ok((await buildSite(open, ask)).lines.includes('reached'));

    const theirs = await engine.image(
      imageOf(await buildStartOrder(at, siteOf([`FROM ${NODE}`, 'RUN true']))),
      NEVER,
    );
    const id = theirs?.Id.replace('sha256:', '') ?? '';
    // As long as that one of digits alone, which would be the number of a stage, does not come.
    const base = (await engine.image(NODE, NEVER))?.Id.slice(7, 27) ?? '';
    for (const name of [
      base,
      id,
      id.slice(0, 20),
      `sha256:${id}`,
      imageOf(await buildStartOrder(at, siteOf([`FROM ${NODE}`]))),
    ]) {
      for (const dockerfile of [[`FROM ${name}`], [`FROM ${NODE}`, `COPY --from=${name} / /x`]]) {
        const { code } = await failureOf(buildSite(at, siteOf(dockerfile)));
        assert.equal(code, 'image_missing', name);
      }
    }
    const fetching = siteOf(['FROM scratch', `ADD http://${daemon.here}:${port}/ /x`]);
    assert.equal((await failureOf(buildSite(at, fetching))).code, 'dockerfile_fetches');
  },
);

withEngine(
  'an image stays until it is pruned, and stages until the next build has others',
  async (at, engine) => {
    const applicationId = newId();
    const stages = (word: string) =>
      siteOf([
        `FROM ${NODE} AS made`,
        'RUN head -c 8 /dev/urandom | base64 > /same',
        `RUN echo ${word} > /word`,
        `FROM ${NODE}`,
        'LABEL simcha.platform=none simcha.application=none',
        'COPY --from=made /same /word /',
        'CMD ["cat", "/same", "/word"]',
      ]);
    const turn = async (word: string, id = applicationId) => {
      const made = await buildSite(at, stages(word), { applicationId: id, buildId: newId() });
      return { ...made, cached: made.lines.filter((line) => line.includes('Using cache')).length };
    };
    const first = await turn('a');
    // A stage that begins as one before it.
    assert.equal(first.cached, 1);
    const again = await turn('a');
    assert.ok(again.cached >= 4, again.lines.join('\n'));
    const second = await turn('b');
    assert.ok(second.cached >= 2, second.lines.join('\n'));
    assert.equal((await untaggedImages(engine, applicationId)).length, 1);
    const other = await turn('a', newId());
    assert.equal(other.cached, 1, 'of another application nothing is taken');
    await at.builder.prune(applicationId, [first.name.buildId], NEVER);
    assert.equal(await at.builder.has(first.name, first.artifact), false);
    assert.equal(await at.builder.has(second.name, second.artifact), true);
    assert.deepEqual(
      (await at.builder.builds(applicationId)).sort(),
      [again, second].map(({ name }) => name.buildId).sort(),
    );
    // As an engine that is killed leaves what a command ran in.
    const builds = { 'simcha.application': applicationId, 'simcha.kind': 'build' };
    const [{ Id } = { Id: '' }] = await engine.networks(builds, NEVER);
    const goesBy = async (work: () => Promise<void>) => {
      const order = { Image: NODE, Cmd: ['true'], Labels: {}, HostConfig: { NetworkMode: Id } };
      const left = await engine.create(newId(), order, NEVER);
      await work();
      await until(async () => (await engine.inspect(left, NEVER)) === undefined);
    };
    await goesBy(() => at.builder.recover());
    await goesBy(() => at.builder.forget(applicationId, NEVER));
    assert.deepEqual(await untaggedImages(engine, applicationId), []);
    assert.deepEqual(await imagesOf(engine, applicationId), []);
    assert.deepEqual(await engine.networks(builds, NEVER), []);
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
      assert.equal((await app.log(id)).includes('What is built has not changed'), word === 'two');
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
