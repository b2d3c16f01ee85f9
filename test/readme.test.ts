import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { configurationPage } from '../commands/configuration-page.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const configuration = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'bench/README.md',
  ...readdirSync(new URL('../docs/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test('docs/configuration.md is made from the list of settings', () => {
  assert.equal(configuration, configurationPage(), 'npm run configuration');
});

test('every npm script the README names exists', () => {
  const used = [
    ...readme.matchAll(
      /npm (?:run )?(?:--silent )?(start|test|token|invite|demo|bench|lint|types|format)\b/g,
    ),
  ];
  assert.ok(used.length >= 4);
  for (const [, name = ''] of used) assert.ok(scripts[name], name);
});

test('what the README and the documentation link to is there, headings too', () => {
  const root = new URL('../', import.meta.url);
  const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
  for (const page of PAGES)
    for (const [, path = '', heading] of read(page).matchAll(/\]\(([^()\s#:]*)(?:#([^()\s]*))?\)/g)) {
      const to = path ? new URL(path, new URL(page, root)) : new URL(page, root);
      assert.ok(existsSync(to), `${page}: ${path}`);
      if (heading)
        assert.ok(headingsOf(readFileSync(to, 'utf8')).has(heading), `${page}: ${path}#${heading}`);
    }
});

test('the tests that the documentation names are there', () => {
  const root = new URL('../', import.meta.url);
  const named = PAGES.flatMap((page) =>
    [...readFileSync(new URL(page, root), 'utf8').matchAll(/`([\w/-]+\.test\.ts)`/g)].flatMap(([, path]) =>
      path?.includes('/') ? [path] : [],
    ),
  );
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((path) => !existsSync(new URL(path, root))),
    [],
  );
});

/** As GitHub names them: small, without signs, hyphens for spaces. */
function headingsOf(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
