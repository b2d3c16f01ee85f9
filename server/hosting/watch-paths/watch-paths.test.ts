import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchedIn } from './matching.ts';
import { findWatched, isWatchPath, LONGEST_PATTERN, watchPathsOf } from './watch-paths.ts';

const CASES: readonly [patterns: readonly string[], watched: readonly string[], others: readonly string[]][] =
  [
    [
      ['apps/web/**'],
      ['apps/web/page.ts', 'apps/web/.env.example', 'apps/web/a/b/c'],
      ['apps/website/x', 'web/x'],
    ],
    [['apps/web'], ['apps/web/page.ts', 'apps/web'], ['apps/web2/x', 'x/apps/web/y']],
    [['/apps/web/'], ['apps/web/page.ts'], ['apps/api/x']],
    [['*.json'], ['package.json'], ['apps/package.json', 'package.jsonc']],
    [['**/*.json'], ['package.json', 'apps/web/.config/a.json'], ['a.ts']],
    [
      ['packages/{ui,core}/src/**'],
      ['packages/ui/src/a', 'packages/core/src/b/c'],
      ['packages/ui/test/a', 'packages/x/src/a'],
    ],
    [['apps/web/**', '!**/*.md'], ['apps/web/page.ts'], ['apps/web/README.md', 'README.md']],
    [
      ['apps/web/**', '!**/*.md', 'apps/web/content/**'],
      ['apps/web/content/a.md', 'apps/web/x'],
      ['apps/web/a.md'],
    ],
    [['!docs/**'], ['src/a.ts', 'README.md'], ['docs/a.md', 'docs/x/y']],
    [['app/(shop)/[id]/**'], ['app/(shop)/[id]/page.tsx'], ['app/shop/i/page.tsx', 'app/(shop)/i/page.tsx']],
    [['a+b/@scope/**', '!c'], ['a+b/@scope/x'], ['aab/@scope/x', 'c/d']],
    [['v?/x'], ['v1/x'], ['v10/x', 'v/x']],
    [['תיקייה/**'], ['תיקייה/קובץ.txt'], ['אחרת/קובץ.txt']],
  ];

for (const [patterns, watched, others] of CASES) {
  test(`watch paths ${patterns.join(' ')}`, async () => {
    for (const path of watched) assert.equal(findWatched(patterns, [path]), path);
    for (const path of others) assert.equal(findWatched(patterns, [path]), undefined, path);
    assert.equal(await watchedIn({ patterns, paths: [...others, ...watched] }), watched[0]);
  });
}

test('a pattern is one of parts that are compared in bounded time', () => {
  for (const pattern of [
    'apps/web',
    '!apps/**',
    '/a/*.{ts,tsx}',
    '**/x/**',
    'a*b*c',
    '(a)/[b]',
    '.github/**',
  ])
    assert.ok(isWatchPath(pattern), pattern);
  for (const pattern of [
    '',
    '!',
    '/',
    '../x',
    'a/./b',
    'a//b',
    'a\\b',
    'a\nb',
    '*a*a*a*a',
    '**/a/**/b/**/c/**',
    '{a,b}'.repeat(6),
    'x'.repeat(LONGEST_PATTERN + 1),
  ])
    assert.ok(!isWatchPath(pattern), pattern);
});

test('without watch paths, the root folder is watched', () => {
  assert.equal(watchPathsOf({ watch_paths: null, root: null }), undefined);
  assert.deepEqual(watchPathsOf({ watch_paths: null, root: 'apps/web' }), ['/apps/web/**']);
  assert.deepEqual(watchPathsOf({ watch_paths: [], root: '!x' }), ['/!x/**']);
  assert.equal(findWatched(['/!x/**'], ['!x/a']), '!x/a');
  assert.deepEqual(watchPathsOf({ watch_paths: ['packages'], root: 'apps/web' }), ['packages']);
});
