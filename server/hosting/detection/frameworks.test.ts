import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FRAMEWORKS, type Framework, frameworkOf } from './frameworks.ts';

const traits = (dependencies: string[], texts: Record<string, string> = {}) => ({
  dependencies: new Set(dependencies),
  scripts: {},
  folders: new Set<string>(),
  texts,
});

test('what is made with others is recognised before them', () => {
  for (const [dependencies, name] of [
    [['vite', 'react', '@react-router/dev', '@react-router/serve', 'express'], 'React Router'],
    [
      ['vite', '@sveltejs/kit', 'svelte', '@sveltejs/adapter-node', '@sveltejs/adapter-auto'],
      'SvelteKit (adapter-node)',
    ],
    [['vite', '@sveltejs/kit', 'svelte', '@sveltejs/adapter-auto'], 'SvelteKit (adapter-auto)'],
    [['astro', '@astrojs/node', 'react'], 'Astro (@astrojs/node)'],
    [['vite', 'vue', 'express'], 'Vite with Vue'],
    [['@angular/core', 'express'], 'Angular'],
    [['express', 'lodash'], 'Express'],
    [['lodash'], undefined],
  ] as const) {
    assert.equal(frameworkOf(traits([...dependencies]))?.name, name);
  }
});

test('its settings tell how a framework is used', () => {
  const next = (said: string) => frameworkOf(traits(['next'], { 'next.config.ts': said }))?.name;
  assert.equal(next("const config = { output: 'export' }"), 'Next.js (static export)');
  assert.equal(next('const config = { output: "standalone" }'), 'Next.js (standalone)');
  assert.equal(next('const config = {}'), 'Next.js');
  const spa = frameworkOf(traits(['@react-router/dev'], { 'react-router.config.ts': 'ssr: false' }));
  assert.equal(spa?.name, 'React Router (SPA mode)');
});

test('a folder that the settings of a framework name goes before the usual ones', () => {
  const publish = (dependencies: string[], texts: Record<string, string>) =>
    frameworkOf(traits(dependencies, texts))?.publish;
  const kit = ['@sveltejs/kit', '@sveltejs/adapter-static'];
  const config = "export default { kit: { adapter: adapter({ pages: 'docs', assets: 'docs' }) } }";
  assert.deepEqual(publish(kit, { 'svelte.config.js': config }), ['docs', 'build']);
  assert.deepEqual(publish(['vite', 'vue'], { 'vite.config.ts': 'build: { outDir: "./web/" }' }), [
    'web',
    'dist',
  ]);
  assert.deepEqual(publish(['vite'], { 'vite.config.ts': "outDir: '../dist'" }), ['dist']);
});

test('each row can be reached, names its source, and says what it makes', () => {
  for (const row of FRAMEWORKS) {
    const { packages, when, kind, start, startScripts, needs, publish, source } = row;
    const first = FRAMEWORKS.find(
      (one) => !one.when && one.packages.every((name) => packages.includes(name)),
    );
    assert.ok(when || first === row, `${row.name} is hidden by ${first?.name}`);
    assert.match(source, /^https:\/\//);
    if (kind === 'static') assert.ok(publish?.length && !start && !startScripts && !needs, row.name);
    else assert.ok(!publish && !row.spa, row.name);
  }
});

const code = (text: string | undefined) => (text === undefined ? '' : `\`${text}\``);
const rowOf = ({
  name,
  packages,
  build,
  start,
  startScripts,
  publish,
  caches,
  spa,
  needs,
  source,
  verified,
}: Framework) =>
  [
    `[${name}](${source})`,
    packages.map(code).join(' '),
    code(build),
    needs
      ? `says to use ${needs.map(code).join(' or ')}`
      : [...(startScripts ?? []).map((one) => `script \`${one}\``), code(start)]
          .filter(Boolean)
          .join(', else '),
    (publish ?? []).map(code).join(' '),
    (caches ?? []).map(code).join(' '),
    spa ? 'yes' : '',
    verified ?? '',
  ].join(' | ');

test('the documentation has the same table', () => {
  const text = readFileSync(new URL('../../../docs/apps.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| ['));
  assert.deepEqual(
    rows,
    FRAMEWORKS.map((one) => `| ${rowOf(one)} |`),
  );
});
