import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Source } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { planOf } from './planner.ts';

const source = (
  files: string[],
  packageJson?: object | string,
  procfile?: string,
  others: Record<string, string> = {},
): Source => {
  const texts = {
    ...others,
    ...(packageJson !== undefined && {
      'package.json': typeof packageJson === 'object' ? JSON.stringify(packageJson) : packageJson,
    }),
    ...(procfile !== undefined && { Procfile: procfile }),
  };
  return { files: new Set([...files, ...Object.keys(texts)]), folders: new Set(), texts };
};
const commands = (given: Source, settings = {}) =>
  planOf(given, settings).build.steps.map(({ command }) => command);
const withDependency = { dependencies: { marked: '18.2.1' } };

test('a server.js is a site without a package.json too, before a page, and after what another language has', () => {
  for (const files of [['server.js'], ['server.js', 'index.html']]) {
    const { build, run, findings } = planOf(source(files), {}, { dockerfiles: 'off', defaultNode: '24' });
    assert.deepEqual([build.kind, build.steps, run.processes], ['server', [], { web: 'node server.js' }]);
    assert.equal(build.node, '>=24.0.0 <25.0.0-0');
    assert.ok(findings.some((one) => one.kind === 'line' && one.line === 'start' && one.by === 'files'));
  }
  const ofPython = () =>
    planOf(source(['server.js', 'requirements.txt'], undefined, undefined, { 'requirements.txt': 'x' }), {});
  assert.throws(
    ofPython,
    (error) => error instanceof RuntimeFailure && error.reason.code === 'no_start_in_language',
  );
});

test('what is installed without a lockfile is told, and what the owner has installed otherwise is not', () => {
  const told = (given: Source, settings = {}) =>
    planOf(given, settings).findings.some(({ kind }) => kind === 'unlocked');
  const site = { ...withDependency, scripts: { start: 'node server.js' } };
  assert.equal(told(source([], site)), true);
  assert.equal(told(source(['package-lock.json'], site)), false);
  assert.equal(told(source([], site), { install: 'make deps' }), false);
  assert.equal(told(source([], { scripts: site.scripts })), false);
});

test('a folder with an index page is a static site that needs no steps', () => {
  const { build, run } = planOf(source(['index.html']), {});
  assert.deepEqual([build.kind, build.steps, build.publish[0], run], ['static', [], '', { processes: {} }]);
  assert.equal(planOf(source(['public/index.html']), {}).build.kind, 'static');
});

test('a package with a start script is a server, installed by its lockfile and built if it can be', () => {
  const plan = planOf(
    source(['package-lock.json'], {
      ...withDependency,
      scripts: { build: 'node build.js', start: 'node server.js' },
    }),
    {},
  );
  assert.deepEqual(plan, {
    findings: [
      { kind: 'line', line: 'type', value: 'server', by: 'package.json' },
      { kind: 'line', line: 'install', value: 'npm ci --include=dev', by: 'lockfile' },
      { kind: 'line', line: 'build', value: 'npm run build', by: 'package.json' },
      { kind: 'line', line: 'start', value: 'node server.js', by: 'package.json' },
    ],
    build: {
      kind: 'server',
      steps: [
        { name: 'install', command: 'npm ci --include=dev' },
        { name: 'build', command: 'npm run build' },
      ],
      publish: [],
    },
    run: { processes: { web: 'node server.js' } },
  });
});

test('a server is told what its framework takes for its address, files of the same framework are not', () => {
  const kit = { dependencies: { '@sveltejs/kit': '1', '@sveltejs/adapter-node': '1' } };
  const told = { PROTOCOL_HEADER: 'x-forwarded-proto', HOST_HEADER: 'x-forwarded-host' };
  const { build, run } = planOf(source([], kit), {});
  assert.deepEqual([build.variables, run.variables], [told, told]);
  assert.equal(planOf(source(['index.html'], kit), { type: 'static' }).run.variables, undefined);
});

test('the next build begins with the caches of the framework, or those that are named, where anything is built', () => {
  const next = { dependencies: { next: '16' } };
  const { build, findings } = planOf(source(['package-lock.json'], next), {});
  assert.deepEqual(build.caches, ['.next/cache']);
  assert.deepEqual(
    findings.find((one) => one.kind === 'line' && one.line === 'caches'),
    { kind: 'line', line: 'caches', value: '.next/cache', by: 'framework' },
  );
  const named = (caches: string[], more = {}) =>
    planOf(
      source(['package-lock.json'], next, undefined, { 'simcha.json': JSON.stringify({ caches, ...more }) }),
      {},
    );
  assert.deepEqual(named(['a', 'b/c']).build.caches, ['a', 'b/c']);
  for (const { build, findings } of [named([]), named(['a'], { build: '' })]) {
    assert.equal(build.caches, undefined);
    assert.ok(!findings.some((one) => one.kind === 'line' && one.line === 'caches'));
  }
});

test('the lockfile tells the package manager, which is brought beside the site in a folder of its own', () => {
  const bring = 'npm install --no-package-lock --ignore-scripts --prefix .package-manager';
  const berry = { ...withDependency, packageManager: 'yarn@4.9.1+sha224.abc' };
  for (const [lock, manifest, from, install] of [
    ['pnpm-lock.yaml', withDependency, 'pnpm@10', 'pnpm install --frozen-lockfile --prod=false'],
    ['yarn.lock', withDependency, 'yarn@1.22.22', 'yarn install --frozen-lockfile --production=false'],
    ['yarn.lock', berry, '@yarnpkg/cli-dist@4.9.1', 'yarn install --immutable'],
    [
      'bun.lock',
      withDependency,
      'bun@1 && node .package-manager/node_modules/bun/install.js',
      'bun install --frozen-lockfile',
    ],
  ] as const) {
    assert.deepEqual(commands(source([lock, 'index.html'], manifest)), [`${bring} ${from}`, install]);
  }
  assert.match(commands(source(['index.html'], withDependency))[0] ?? '', /^npm install --include/);
});

test('a package manager is brought where the workspace is, if a command needs it', () => {
  const web = source([], { ...withDependency, scripts: { build: 'vite build' } });
  const workspace = { at: '', files: new Set(['pnpm-lock.yaml']), texts: { 'package.json': '{}' } };
  const { steps } = planOf({ ...web, workspace }, {}).build;
  assert.deepEqual(
    steps.map(({ command, at }) => [command.split(' ')[0], at]),
    [
      ['npm', ''],
      ['pnpm', ''],
      ['pnpm', undefined],
    ],
  );
  const locked = source(['bun.lock'], { scripts: { start: 'node index.js' } });
  const first = (settings: object) => commands(locked, settings)[0] ?? '';
  for (const start of ['bun index.ts', 'cd api && bun start', 'bunx serve']) {
    assert.match(first({ start }), /--prefix \.package-manager bun@1/);
  }
  for (const start of ['node index.js', 'node bundle', 'node bun.js', './bun/start']) {
    assert.equal(first({ start }), '');
  }
});

test('nothing is installed where nothing is needed', () => {
  assert.deepEqual(commands(source(['package-lock.json'], { scripts: { start: 'node a.js' } })), []);
});

test('a Procfile comes before the start script, a setting before both', () => {
  const given = source([], { scripts: { start: 'a' } }, 'worker: x\r\nweb:  b --port $PORT  \r\n');
  assert.equal(planOf(given, {}).run.processes.web, 'b --port $PORT');
  assert.equal(planOf(given, { start: 'c' }).run.processes.web, 'c');
});

test('a command that no shell can be handed is told of', () => {
  for (const command of ['node\0server.js', `echo ${'a'.repeat(200_000)}`]) {
    for (const given of [
      source([], undefined, `web: ${command}`),
      source(['index.html'], { scripts: { start: command } }),
    ]) {
      assert.throws(() => planOf(given, {}), /command "(node|echo).*can’t be run: .*10000/);
    }
    assert.throws(() => planOf(source(['index.html']), { build: command }), /can’t be run/);
  }
});

test('hooks around the start script are heeded', () => {
  const plan = planOf(source([], { scripts: { prestart: 'x', start: 'y' } }), {});
  assert.equal(plan.run.processes.web, 'npm run start');
});

test('what a build makes is looked for before what lay there', () => {
  const { publish } = planOf(source(['index.html'], { scripts: { build: 'make' } }), {}).build;
  assert.deepEqual([publish[0], publish.at(-1)], ['dist', '']);
});

test('a start script that is a development server gives way to what the framework builds', () => {
  const eleventy = planOf(
    source(['package-lock.json'], {
      scripts: { start: 'eleventy --serve', build: 'eleventy' },
      devDependencies: { '@11ty/eleventy': '3' },
    }),
    {},
  );
  assert.deepEqual([eleventy.build.kind, eleventy.build.publish[0]], ['static', '_site']);
  assert.ok(eleventy.findings.some(({ kind }) => kind === 'development'));
  const nest = {
    scripts: { start: 'nest start', build: 'nest build', 'start:prod': 'node dist/main.js' },
    dependencies: { '@nestjs/core': '11' },
  };
  assert.equal(planOf(source([], nest), {}).run.processes.web, 'node dist/main.js');
  const watched = { scripts: { start: 'nodemon app.js' }, dependencies: { express: '5' } };
  assert.equal(planOf(source([], watched), {}).run.processes.web, 'node app.js');
  assert.throws(
    () => planOf(source([], { scripts: { start: 'webpack serve' } }), {}),
    /webpack serve.*development server.*Set start, or publish/,
  );
});

test('a site that bun runs has bun beside it', () => {
  const { build, run } = planOf(
    source(['bun.lock'], {
      scripts: { start: 'bun index.ts' },
      packageManager: 'bun@1.2.3',
      ...withDependency,
    }),
    {},
  );
  assert.deepEqual(build.steps.length, 2);
  assert.match(build.steps[0]?.command ?? '', /^npm install .* bun@1\.2\.3 && node /);
  assert.equal(run.processes.web, 'bun index.ts');
});

test('a framework that is made for another platform says what to use here, unless the owner does', () => {
  const kit = {
    scripts: { build: 'vite build' },
    devDependencies: { '@sveltejs/kit': '2', '@sveltejs/adapter-auto': '6', vite: '7' },
  };
  assert.throws(() => planOf(source([], kit), {}), /adapter-auto.*adapter-node.*adapter-static/);
  assert.equal(planOf(source([], kit), { publish: 'build' }).build.kind, 'static');
  assert.equal(planOf(source([], kit), { start: 'node build' }).build.kind, 'server');
});

test('a framework is built and started as it says, where the package has no script for it', () => {
  const nuxt = planOf(source([], { dependencies: { nuxt: '4' } }), {});
  assert.deepEqual(
    [nuxt.build.steps.at(-1)?.command, nuxt.run.processes.web],
    ['nuxt build', 'node .output/server/index.mjs'],
  );
  const exported = planOf(
    source(
      [],
      { scripts: { start: 'next start', build: 'next build' }, dependencies: { next: '16' } },
      undefined,
      {
        'next.config.mjs': "export default { output: 'export' };",
      },
    ),
    {},
  );
  assert.deepEqual([exported.build.kind, exported.build.publish[0]], ['static', 'out']);
});

test('a setting goes before simcha.json, which goes before the Procfile and what is found', () => {
  const file = { build: 'b2', install: 'i2', start: 's2', port: 2002, health: '/h2' };
  const given = source(
    ['package-lock.json'],
    { scripts: { build: 'b3', start: 's3' }, dependencies: { express: '5' } },
    'web: s4\nrelease: r4\nworker: w4',
    { 'simcha.json': JSON.stringify(file) },
  );
  const byFile = planOf(given, {});
  assert.deepEqual(
    byFile.build.steps.map(({ command }) => command),
    ['i2', 'b2'],
  );
  assert.deepEqual(byFile.run, {
    processes: { web: 's2', worker: 'w4' },
    port: 2002,
    health: '/h2',
    release: 'r4',
  });
  const { build, run, findings } = planOf(given, { build: 'b1', install: 'i1', start: 's1', port: 1001 });
  assert.deepEqual(
    build.steps.map(({ command }) => command),
    ['i1', 'b1'],
  );
  assert.deepEqual([run.processes.web, run.port], ['s1', 1001]);
  assert.deepEqual(
    findings.flatMap((one) => (one.kind === 'line' && one.by === 'settings' ? [one.line] : [])).sort(),
    ['build', 'install', 'port', 'start', 'type'],
  );
});

test('a folder to publish makes a static site, whatever else starts', () => {
  const given = source([], { scripts: { start: 'node dev.js' } });
  for (const settings of [{ publish: 'site' }, { type: 'static', publish: 'site' }] as const) {
    const { build, run } = planOf(given, settings);
    assert.deepEqual([build.kind, build.publish, run.processes], ['static', ['site'], {}]);
  }
  assert.equal(planOf(given, { publish: 'site', start: 'node a' }).build.kind, 'server');
  assert.throws(() => planOf(source(['index.html']), { type: 'server' }), /Set start/);
});

test('what a static site can’t run is said', () => {
  const { run, findings } = planOf(source(['index.html'], undefined, 'worker: w\nrelease: r'), {});
  assert.deepEqual(run, { processes: {} });
  assert.deepEqual(
    findings.flatMap((one) => (one.kind === 'files_only' ? [one.value] : [])),
    ['worker: w', 'r'],
  );
});

test('a single-page site answers for every path, where its framework makes such or somebody says so', () => {
  const vite = source(['index.html'], {
    scripts: { build: 'vite build' },
    devDependencies: { vite: '7', react: '19' },
  });
  assert.equal(planOf(vite, {}).run.spa, 'auto');
  assert.equal(planOf(vite, { spa: true }).run.spa, 'always');
  assert.equal(planOf(vite, { spa: false }).run.spa, undefined);
  const plain = source(['index.html']);
  assert.equal(planOf(plain, {}).run.spa, undefined);
  assert.equal(planOf(plain, { spa: true }).run.spa, 'always');
});

test('a source with nothing in it fails with what was looked for', () => {
  for (const empty of [
    source(['readme.md']),
    source([], { name: 'x' }),
    source([], undefined, 'release: x'),
  ]) {
    assert.throws(() => planOf(empty, {}), /start command.*Procfile.*package\.json.*index\.html/s);
  }
  assert.throws(() => planOf(source([], '{"scripts":'), {}), /package\.json can’t be read/);
  assert.throws(() => planOf(source([], '[]'), {}), /package\.json can’t be read/);
});

test('whatever a package.json holds, there is a plan or a failure the owner can read', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.object({ key: fc.constantFrom('scripts', 'start', 'build') }).map((o) => JSON.stringify(o)),
      ),
      fc.subarray([
        'index.html',
        'package-lock.json',
        'pnpm-lock.yaml',
        'yarn.lock',
        'server.js',
        'dist/index.html',
      ]),
      fc.option(fc.string(), { nil: undefined }),
      fc.option(fc.oneof(fc.string(), fc.json()), { nil: undefined }),
      (packageJson, files, procfile, file) => {
        try {
          const others = file === undefined ? {} : { 'simcha.json': file };
          const { build, run } = planOf(source(files, packageJson, procfile, others), {});
          assert.ok(build.kind === 'static' || run.processes.web?.trim());
          assert.ok(build.steps.every(({ command }) => command.trim() !== ''));
        } catch (error) {
          assert.ok(error instanceof RuntimeFailure, String(error));
        }
      },
    ),
  );
});

test('a start command needs the program that it begins with, where no file tells a language', () => {
  const programs = (start: string) => planOf(source([], undefined, `web: ${start}`), {}).build.programs;
  assert.deepEqual(
    programs('python3 server.py')?.map(({ name }) => name),
    ['Python'],
  );
  assert.deepEqual(
    programs('php -S $HOST:$PORT')?.map(({ name }) => name),
    ['PHP'],
  );
  assert.equal(programs('node server.js'), undefined);
  assert.equal(programs('constructor'), undefined);
});

test('a page that has still to be built is no site by itself', () => {
  const page = '<div id="root"></div><script type="module" src="/src/main.tsx"></script>';
  const texts = { 'index.html': page };
  assert.throws(
    () => planOf(source([], { scripts: { dev: 'bundle' } }, undefined, texts), {}),
    /index\.html is a template .*\/src\/main\.tsx.* Set build and publish.* publish: "\."\.$/,
  );
  const below = { 'public/index.html': '<link href="%PUBLIC_URL%/a.css">' };
  assert.throws(() => planOf(source([], {}, undefined, below), {}), /public\/index\.html is a template/);
  // An owner's setting is taken literally; without a package no build would run
  assert.deepEqual(planOf(source([], {}, undefined, texts), { publish: '' }).build.publish, ['']);
  assert.deepEqual(planOf(source([], undefined, undefined, texts), {}).build.publish[0], '');
  assert.deepEqual(planOf(source(['index.html'], {}), {}).build.publish[0], '');
});

test('what a build is made from is not what is published after it', () => {
  const texts = { 'index.html': '<title><%= productName %></title>', 'public/index.html': '%PUBLIC_URL%' };
  const { publish } = planOf(source([], { scripts: { build: 'make' } }, undefined, texts), {}).build;
  assert.deepEqual([publish.includes(''), publish.includes('public'), publish[0]], [false, false, 'dist']);
  const quasar = { scripts: { dev: 'quasar dev' }, dependencies: { quasar: '2', '@quasar/app-vite': '2' } };
  const { build, run } = planOf(source(['package-lock.json'], quasar, undefined, texts), {});
  assert.deepEqual(
    [build.steps.at(-1)?.command, build.publish[0], run.spa],
    ['quasar build', 'dist/spa', 'auto'],
  );
});

test('Nx builds a project, and never serves one for development', () => {
  const nx = { scripts: { start: 'nx serve', build: 'nx build' }, devDependencies: { nx: '22' } };
  const project = (targets: object) => ({ 'project.json': JSON.stringify({ name: 'api', targets }) });
  const options = { outputPath: 'dist/apps/api' };
  const server = project({ build: { executor: '@nx/esbuild:esbuild', options } });
  assert.deepEqual(planOf(source([], nx, undefined, server), {}).run.processes, {
    web: 'node dist/apps/api/main.js',
  });
  const pages = planOf(source([], nx, undefined, project({ build: { executor: '@nx/vite:build' } })), {});
  assert.deepEqual(
    [pages.build.kind, pages.build.publish.slice(0, 2)],
    ['static', ['dist/api/browser', 'dist/api']],
  );
  const several = { ...nx, scripts: { start: 'nx run shop:serve', build: 'nx build shop' } };
  assert.equal(planOf(source([], several), {}).build.publish[0], 'dist/apps/*/browser');
});

test('where nothing is found, what there is instead is named', () => {
  for (const [files, said] of [
    [
      ['server/package.json', 'client/package.json'],
      /in client, server: set root, for example to "client"\.$/,
    ],
    [['docs/index.html'], /in docs: set root/],
    [['compose.yaml', 'api/go.mod'], /There is a compose\.yaml.* for each service \(root: api\)/],
    [['docker-compose.yml'], /There is a docker-compose\.yml.* for each service, and set/],
    [['pom.xml'], /There is a pom\.xml, but Java is not detected/],
    [['Shop.csproj'], /There is a Shop\.csproj, but \.NET is not detected/],
    [['fly.toml'], /fly\.toml is for another platform/],
    [['read.me'], /public\.$/],
  ] as const) {
    assert.throws(() => planOf(source([...files]), {}), said);
    assert.throws(() => planOf(source([...files], { name: 'x' }), {}), said);
  }
});

test('what Heroku, Netlify and Vercel would build and publish is built and published', () => {
  const scripts = { build: 'tsc', 'heroku-postbuild': 'make site', start: 'node a.js' };
  assert.deepEqual(commands(source([], { scripts })), ['npm run heroku-postbuild']);
  const planWith = (file: string, text: string, manifest: object) =>
    planOf(source(['pnpm-lock.yaml'], manifest, undefined, { [file]: text }), {});
  const site = { scripts: { build: 'tsc', docs: 'typedoc' } };
  const netlify = planWith('netlify.toml', '[build]\ncommand = "yarn docs"\npublish = "site"', site);
  assert.deepEqual(
    [netlify.build.steps.at(-1)?.command, netlify.build.publish[0], netlify.build.kind],
    ['pnpm run docs', 'site', 'static'],
  );
  assert.ok(
    netlify.findings.some(
      (one) => one.kind === 'line' && one.line === 'publish' && one.by === 'netlify.toml',
    ),
  );
  const vercel = JSON.stringify({ outputDirectory: 'www', buildCommand: 'make www' });
  const { build } = planWith('vercel.json', vercel, site);
  assert.deepEqual([build.steps.at(-1)?.command, build.publish[0]], ['make www', 'www']);
  const heroku = planOf(source([], { scripts: { ...scripts, 'heroku-cleanup': 'rm -r x' } }), {});
  assert.ok(heroku.findings.some((one) => one.kind === 'passed_over' && one.value === 'heroku-cleanup'));
  // A server stays a server, and the owner's settings take precedence
  assert.equal(planWith('vercel.json', vercel, { scripts }).build.kind, 'server');
  const named = planOf(source([], site, undefined, { 'vercel.json': vercel }), { build: 'b', publish: 'p' });
  assert.deepEqual([named.build.steps.at(-1)?.command, named.build.publish], ['b', ['p']]);
  const ready = source(['index.html', 'public/index.html'], undefined, undefined, {
    'netlify.toml': '[build]\npublish = "public"',
  });
  assert.equal(planOf(ready, {}).build.publish[0], 'public');
});
