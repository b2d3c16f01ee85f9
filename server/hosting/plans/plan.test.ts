import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RuntimeFailure } from '../reasons/failure.ts';
import { BUILT_FOLDERS, folderWithIndex, planOf, type Source } from './plan.ts';

const source = (files: string[], packageJson?: object | string, procfile?: string): Source => ({
  files: new Set([...files, ...(packageJson ? ['package.json'] : []), ...(procfile ? ['Procfile'] : [])]),
  packageJson: typeof packageJson === 'object' ? JSON.stringify(packageJson) : packageJson,
  procfile,
});
const commands = (given: Source, settings = {}) =>
  planOf(given, settings).build.steps.map(({ command }) => command);
const withDependency = { dependencies: { marked: '18.2.1' } };

test('a folder with an index page is a static site that needs no steps', () => {
  assert.deepEqual(planOf(source(['index.html']), {}), {
    build: { kind: 'static', steps: [], publish: ['', ...BUILT_FOLDERS] },
    run: { processes: {} },
  });
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

test('the lockfile tells the package manager', () => {
  assert.match(
    commands(source(['pnpm-lock.yaml', 'index.html'], withDependency))[0] ?? '',
    /pnpm@10 install/,
  );
  assert.match(
    commands(source(['yarn.lock', 'index.html'], withDependency))[0] ?? '',
    /yarn@1\.22\.22 install/,
  );
  const berry = { ...withDependency, packageManager: 'yarn@4.9.1+sha224.abc' };
  assert.match(
    commands(source(['yarn.lock', 'index.html'], berry))[0] ?? '',
    /cli-dist@4\.9\.1 install --immutable/,
  );
  assert.match(commands(source(['index.html'], withDependency))[0] ?? '', /^npm install/);
  assert.throws(() => planOf(source(['bun.lock'], withDependency), {}), /bun/);
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
  const plan = planOf(source(['index.html'], { scripts: { build: 'vite build' } }), {});
  assert.deepEqual(plan.build.publish, [...BUILT_FOLDERS, '']);
  assert.equal(
    folderWithIndex([...BUILT_FOLDERS, ''], (path) => path === 'out/index.html'),
    'out',
  );
  assert.equal(
    folderWithIndex(['', 'dist'], (path) => path === 'index.html'),
    '',
  );
});

test('a source with nothing in it fails with what was looked for', () => {
  for (const empty of [
    source(['readme.md']),
    source([], { name: 'x' }),
    source([], undefined, 'worker: x'),
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
      (packageJson, files, procfile) => {
        try {
          const { build, run } = planOf(source(files, packageJson, procfile), {});
          assert.ok(build.kind === 'static' || run.processes.web?.trim());
          assert.ok(build.steps.every(({ command }) => command.trim() !== ''));
        } catch (error) {
          assert.ok(error instanceof RuntimeFailure, String(error));
        }
      },
    ),
  );
});
