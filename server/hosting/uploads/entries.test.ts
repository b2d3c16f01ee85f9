import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../kernel/refusal.ts';
import { type EntryName, FolderEntries, leadsInside, pathInside } from './entries.ts';

const LIMITS = { bytes: 1_000, entries: 10 };

test('a path is stored below the folder, or refused', () => {
  for (const [path, inside] of [
    ['a/b.html', 'a/b.html'],
    ['./a//b/./c', 'a/b/c'],
    ['./', ''],
    ['שלום/..x', 'שלום/..x'],
    ['a\\b', 'a\\b'],
    ['/etc/passwd', undefined],
    ['../a', undefined],
    ['a/../b', undefined],
    ['C:/a', undefined],
    ['a\0b', undefined],
    ['\ud800', undefined],
    ['a'.repeat(256), undefined],
    ['a/'.repeat(3_000), undefined],
  ] as const)
    assert.equal(pathInside(path), inside, path.slice(0, 20));
});

test('a link leads inside the folder by its own text', () => {
  for (const [path, target, isInside] of [
    ['a', 'b', true],
    ['a/b', '../c', true],
    ['a/b/c', '../../d/../e', true],
    ['a', '.', true],
    ['a', '..', false],
    ['a/b', '../../c', false],
    ['a/b', 'x/../../../c/d', false],
    ['a', '/etc/passwd', false],
    ['a', '', false],
    ['a', 'b\0', false],
  ] as const)
    assert.equal(leadsInside(path, target), isInside, `${path} -> ${target}`);
});

test('entries are admitted in order, and refused with a reason', () => {
  const file = (path: string): EntryName => ({ kind: 'file', path });
  const link = (path: string, target: string): EntryName => ({ kind: 'link', path, target });
  const cases: [EntryName[], string | RegExp | undefined][] = [
    [[file('a'), file('./b/c')], 'b/c'],
    [[{ kind: 'folder', path: 'a/' }, file('a/b')], 'a/b'],
    [[file('.git/config')], undefined],
    [[file('.gitignore')], '.gitignore'],
    [[file('a'), { kind: 'hardlink', path: 'b', target: './a' }], 'b'],
    [[file('../a')], /"\.\.\/a" is not inside the folder/],
    [[{ kind: 'other', path: 'dev/null' }], /"dev\/null" is no file/],
    [[link('a', '/etc/passwd')], /"a" leads out/],
    [[{ kind: 'hardlink', path: 'b', target: '/etc/passwd' }], /"b" leads out/],
    [[{ kind: 'hardlink', path: 'b', target: 'missing' }], /"b" leads out/],
    [[link('a', 'b'), { kind: 'hardlink', path: 'c', target: 'a' }], /"c" leads out/],
    [[link('a', 'b'), file('a/c')], /"a" is in the archive twice, or something is below/],
    [[file('a/c'), link('a', 'b')], /"a" is in the archive twice/],
    [[file('a'), file('a')], /"a" is in the archive twice/],
    [Array.from({ length: 11 }, (_, i) => file(`${i}`)), /more than 10 files/],
    [[file('a/b/c/d/e/f/g/h/i/j/k')], /more than 10 files/],
    [[file('/a\nb\u202e')], /"\/a.b.?" is not inside/],
  ];
  for (const [entries, expected] of cases) {
    const folder = new FolderEntries(LIMITS);
    const admitAll = () => entries.map((entry) => folder.admit(entry)).at(-1);
    if (!(expected instanceof RegExp)) assert.equal(admitAll(), expected);
    else
      assert.throws(admitAll, (error: Refusal) => {
        assert.match(error.words.en, expected);
        return error instanceof Refusal;
      });
  }
});

test('contents are counted together', () => {
  const folder = new FolderEntries(LIMITS);
  folder.count(600);
  folder.count(400);
  assert.equal(folder.bytes, 1_000);
  assert.throws(() => folder.count(1), Refusal);
});
