import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

// main → compose → planning | hosting → webhooks → identity → kernel (ARCHITECTURE.md).

const ROOT = new URL('..', import.meta.url).pathname;
/** What each part of `server/` may import; a part that stands nowhere here is a mistake. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'main.js': ['serve.ts'],
  'serve.ts': ['compose.ts', 'kernel'],
  'compose.ts': ['console', 'planning', 'hosting', 'webhooks', 'identity', 'migrations', 'kernel'],
  console: ['kernel'],
  planning: ['webhooks', 'identity', 'kernel'],
  hosting: ['webhooks', 'identity', 'kernel'],
  webhooks: ['identity', 'kernel'],
  identity: ['kernel'],
  migrations: ['kernel'],
  kernel: [],
};

const files = globSync(['server/main.js', 'server/**/*.ts'], { cwd: ROOT }).filter(
  (file) => !file.endsWith('.test.ts'),
);
const importsIn = (sources: readonly string[]) =>
  new Map(
    sources.map((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const targets = [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) =>
        normalize(join(dirname(file), target)),
      );
      return [file, targets] as const;
    }),
  );
const importsOf = importsIn(files);
/** What a file loads, be it ours or a package: types are gone by then. */
const valuesOf = (file: string) => {
  if (!importsOf.has(file)) return [];
  const source = readFileSync(join(ROOT, file), 'utf8');
  return [...source.matchAll(/^(?:import|export) (?!type)[^;]*?from '([^']+)'/gm)].map(([, target = '']) =>
    target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
  );
};
const partOf = (file: string) => file.split('/')[1] ?? '';

test('every file that the code names by its URL is there', () => {
  const missing = globSync('{server,commands,bench,test}/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/node_modules'],
  }).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return [...source.matchAll(/new URL\(\s*'(\.[^']*)',\s*import\.meta\.url/g)]
      .filter(([, target = '']) => !existsSync(join(ROOT, dirname(file), target)))
      .map(([, target]) => `${file} names ${target}`);
  });
  assert.deepEqual(missing, []);
});

test('every folder of the server belongs to the house', () => {
  assert.ok(files.length > 100);
  const unknown = files.filter((file) => !(partOf(file) in MAY_IMPORT));
  assert.deepEqual(unknown, []);
});

test('imports run downward only, and the two sides know nothing of each other', () => {
  const wrong = [...importsOf].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.startsWith('server/') && partOf(target) !== partOf(file))
      .filter((target) => !MAY_IMPORT[partOf(file)]?.includes(partOf(target)))
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test('the root composes each side through its one door', () => {
  const through = (importsOf.get('server/compose.ts') ?? []).filter((target) =>
    ['planning', 'hosting', 'webhooks', 'identity'].includes(partOf(target)),
  );
  assert.deepEqual(through.sort(), [
    'server/hosting/compose.ts',
    'server/identity/compose.ts',
    'server/planning/compose.ts',
    'server/webhooks/compose.ts',
  ]);
});

test('no file imports itself by any way around, types included', () => {
  const circles: string[][] = [];
  const clear = new Set<string>();
  const walk = (file: string, path: string[]): void => {
    if (clear.has(file)) return;
    const at = path.indexOf(file);
    if (at >= 0) {
      circles.push([...path.slice(at), file]);
      return;
    }
    for (const target of importsOf.get(file) ?? []) walk(target, [...path, file]);
    clear.add(file);
  };
  for (const file of files) walk(file, []);
  assert.deepEqual(circles, []);
});

/**
 * Folders that import each other, directly or through others; `folderOf` returns undefined for files that don't count.
 */
function circlesOf(
  imports: ReadonlyMap<string, readonly string[]>,
  folderOf: (file: string) => string | undefined,
) {
  const imported = new Map<string, string[]>();
  for (const [file, targets] of imports) {
    const folder = folderOf(file);
    if (!folder) continue;
    const others = targets.map(folderOf).filter((other) => other !== undefined && other !== folder);
    imported.set(folder, [...(imported.get(folder) ?? []), ...(others as string[])]);
  }
  assert.ok(imported.size > 10);
  const left = new Set(imported.keys());
  const lowest = () => [...left].find((folder) => !imported.get(folder)?.some((other) => left.has(other)));
  for (let folder = lowest(); folder; folder = lowest()) left.delete(folder);
  return [...left];
}

for (const side of ['planning', 'hosting']) {
  test(`the folders of ${side} have an order: no two import each other, directly or through others`, () => {
    const folderOf = (file: string) => {
      const [, part, folder = ''] = file.split('/');
      return part === side && !folder.endsWith('.ts') ? folder : undefined;
    };
    assert.deepEqual(circlesOf(importsOf, folderOf), []);
  });
}

test('the features of the console have an order: no two import each other, directly or through others', () => {
  const featureOf = (file: string) => /^web\/src\/features\/([^/]+)\//.exec(file)?.[1];
  assert.deepEqual(circlesOf(importsIn(globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT })), featureOf), []);
});

test('the ground floor of hosting imports logs alone', () => {
  const wrong = [...importsOf].flatMap(([file, targets]) =>
    targets
      .filter((target) => file.startsWith('server/hosting/model/') && target.startsWith('server/hosting/'))
      .filter((target) => !/^server\/hosting\/(?:model|logs)\//.test(target))
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test('threads, made anew for each file or database, load nothing that they do not need', () => {
  for (const thread of files.filter((file) => file.endsWith('-thread.ts'))) {
    const loaded = new Set([thread]);
    for (const file of loaded) for (const target of valuesOf(file)) loaded.add(target);
    const heavy = [...loaded].filter((target) =>
      ['typebox', 'kysely', 'fastify', 'pg-boss'].includes(target),
    );
    assert.deepEqual(heavy, [], thread);
  }
});

test('only serve.ts ends the process, and nothing is exported by default', () => {
  for (const file of globSync('{server,commands}/**/*.ts', { cwd: ROOT })) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    assert.ok(!/^export default/m.test(source), `${file} exports by default`);
    if (file.startsWith('server/') && file !== 'server/serve.ts') {
      assert.ok(!/process\.exit\(/.test(source), `${file} ends the process`);
    }
  }
});

// app → features → components → lib (docs/decisions/0015-console.md); features know of each other's questions to the
// server alone.
test('the console’s imports run one way, and it asks by the typed client alone', () => {
  const order = ['lib', 'components', 'features', 'app', 'main.tsx'];
  const wrong: string[] = [];
  const sources = globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT });
  assert.ok(sources.length > 30);
  for (const file of sources) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    if (/\bfetch\(|XMLHttpRequest|EventSource\(/.test(source)) wrong.push(`${file} asks by itself`);
    const [, , part = '', area] = file.split('/');
    for (const [, target = ''] of source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const [, , there = '', other, kind] = normalize(join(dirname(file), target)).split('/');
      const isUp = order.indexOf(there) > order.indexOf(part);
      const isAside = part === 'features' && there === 'features' && area !== other && kind !== 'api';
      if (!order.includes(there) || isUp || isAside) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

// main → program → commands → the files of src → output, config → errors: the command line knows the server by the
// client alone.
test('the command line’s imports run one way, and it asks by the typed client alone', () => {
  const floorOf = (file: string) => {
    const part = file.split('/')[2] ?? '';
    const low = {
      'program.ts': 4,
      'main.ts': 5,
      commands: 3,
      output: 1,
      config: 1,
      'errors.ts': 0,
      'exit-codes.ts': 0,
    };
    return low[part as keyof typeof low] ?? 2;
  };
  const sources = importsIn(globSync('cli/src/**/*.ts', { cwd: ROOT }));
  assert.ok(sources.size > 15);
  const wrong = [...sources].flatMap(([file, targets]) =>
    targets
      .filter((target) => !target.startsWith('cli/src/') || floorOf(target) > floorOf(file))
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
  for (const file of sources.keys()) {
    const packages = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/from '([a-z@][^']*)'/g)];
    for (const [, name = ''] of packages)
      assert.ok(!/^node:(?:http|https|net|tls)$|^undici/.test(name), `${file} asks by ${name}`);
  }
});

test('whatever counts a client counts its network: the address of a request is read in one place', () => {
  const code = (source: string) => source.replace(/\/\/.*|\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '');
  for (const file of files.filter((one) => one !== 'server/kernel/http/client-address.ts')) {
    const source = code(readFileSync(join(ROOT, file), 'utf8'));
    const reads = /\.ips?\b|\{[^{}]*\bips?\b[^{}]*\}/.exec(source);
    assert.ok(
      !reads,
      `${file} reads a client's address: ${reads?.[0]}; networkOf(request) is what limits count`,
    );
  }
});
