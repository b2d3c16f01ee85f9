import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDockerignore, UnreadableIgnore } from './dockerignore.ts';

const PATHS = [
  'a',
  'a.md',
  'README.md',
  'docs',
  'docs/a.md',
  'docs/deep',
  'docs/deep/b.md',
  'node_modules',
  'node_modules/x/y.js',
  'constructor',
  '.env',
  '.env.example',
  'a+b(c)',
  'שלום/עולם',
  'x y',
];

/** Paths that are left out. */
const leftOut = (...lines: string[]) => {
  const ignored = parseDockerignore(lines.join('\n'));
  return PATHS.filter((path) => ignored.has(path));
};

test('a .dockerignore leaves out what docker leaves out by it', () => {
  assert.deepEqual(leftOut(), []);
  assert.deepEqual(leftOut('# a', '', '  '), []);
  assert.deepEqual(leftOut('\uFEFFa'), ['a']);
  assert.deepEqual(leftOut('*.md'), ['a.md', 'README.md']);
  assert.deepEqual(leftOut('**/*.md'), ['a.md', 'README.md', 'docs/a.md', 'docs/deep/b.md']);
  assert.deepEqual(leftOut('*/*.md\r'), ['docs/a.md']);
  assert.deepEqual(leftOut('docs'), ['docs', 'docs/a.md', 'docs/deep', 'docs/deep/b.md']);
  assert.deepEqual(leftOut('/docs/deep/'), ['docs/deep', 'docs/deep/b.md']);
  assert.deepEqual(leftOut('./docs/../docs/?.md'), ['docs/a.md']);
  assert.deepEqual(leftOut('docs/**'), ['docs/a.md', 'docs/deep', 'docs/deep/b.md']);
  assert.deepEqual(leftOut('**/deep'), ['docs/deep', 'docs/deep/b.md']);
  assert.deepEqual(leftOut('.env*', '!.env.example'), ['.env']);
  assert.deepEqual(
    leftOut('**', '!docs/deep', '**/b.md', '!a'),
    PATHS.filter((path) => !['a', 'docs/deep'].includes(path)),
  );
  assert.deepEqual(leftOut('!a', 'a'), ['a']);
  assert.deepEqual(leftOut('a+b(c)'), ['a+b(c)']);
  assert.deepEqual(leftOut('[ab]'), ['a']);
  assert.deepEqual(leftOut('\\a'), ['a']);
  assert.deepEqual(leftOut('*/עולם', 'x y'), ['שלום/עולם', 'x y']);
  assert.deepEqual(leftOut('constructor'), ['constructor']);
});

test('what is meant to be wanted after all is looked for in what is left out', () => {
  assert.equal(parseDockerignore('a\n!a/b').hasExceptions, true);
  assert.equal(parseDockerignore('a').hasExceptions, false);
});

test('a line that says nothing is told of', () => {
  assert.throws(() => parseDockerignore('a\n!'), UnreadableIgnore);
  assert.throws(() => parseDockerignore('[z-a]'), { line: '[z-a]' });
});
