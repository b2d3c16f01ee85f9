import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openVersion2In } from './cgroup-v2.ts';
import { openControlGroups } from './cgroups.ts';

// Control groups of version 2 with the names and forms of https://docs.kernel.org/admin-guide/cgroup-v2.html, in
// ordinary folders.

async function parentWith(controllers: string) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'simcha-groups-'));
  writeFileSync(join(folder.path, 'cgroup.controllers'), controllers);
  writeFileSync(join(folder.path, 'cgroup.subtree_control'), 'memory pids');
  const hierarchy = openVersion2In(folder.path, 'simcha-test');
  const root = join(folder.path, 'simcha-test');
  const group = join(root, 'one');
  mkdirSync(group, { recursive: true });
  const read = (path: string, name: string) => readFileSync(join(path, name), 'utf8');
  return { folder, kind: hierarchy, root, group, read, [Symbol.asyncDispose]: () => folder.remove() };
}

test('in version 2 all commands have one limit of memory and a small share of processors, and each its own', async () => {
  await using at = await parentWith('cpuset cpu io memory pids');
  assert.ok(at.kind);
  at.kind.limitAll(21_000);
  assert.equal(at.read(at.root, 'memory.max'), `${21_000 * 2 ** 20}`);
  assert.equal(at.read(at.root, 'cpu.weight'), '50');
  at.kind.limit([at.group], { memoryMb: 512, processes: 500, cpus: 1.5 });
  assert.equal(at.read(at.group, 'memory.max'), `${512 * 2 ** 20}`);
  assert.equal(at.read(at.group, 'pids.max'), '500');
  assert.equal(at.read(at.group, 'cpu.max'), '150000 100000');
  assert.equal(at.read(at.group, 'cpu.weight'), '100');
  at.kind.limit([at.group], { memoryMb: 512, processes: 500, isBackground: true });
  assert.equal(at.read(at.group, 'cpu.weight'), '25');
  assert.deepEqual(at.kind.mountsOf([at.group]), [{ folder: at.group, at: '/sys/fs/cgroup' }]);
});

test('in version 2 it is told apart whose limit memory ran out by', async () => {
  await using at = await parentWith('memory pids');
  writeFileSync(join(at.group, 'memory.events.local'), 'low 0\nhigh 0\nmax 7\noom 0\noom_kill 1\n');
  assert.equal(at.kind?.isOwnLimit([at.group]), false);
  writeFileSync(join(at.group, 'memory.events.local'), 'low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\n');
  assert.equal(at.kind?.isOwnLimit([at.group]), true);
});

test('in version 2 a folder that hands no memory on is not divided', async () => {
  await using at = await parentWith('cpu pids');
  assert.equal(at.kind, undefined);
});

test('in version 1 all commands have less of a busy machine than others, builds less than sites, and each so many processors', async (t) => {
  await using owner = await mkdtempDisposable(join(tmpdir(), 'simcha-groups-'));
  const groups = openControlGroups(owner.path, 300);
  const group = groups?.make();
  const [memory = '', , cpu] = group?.folders ?? [];
  if (!groups || !group || cpu === undefined)
    return t.skip('no control groups of version 1 can be made here');
  try {
    const read = (folder: string, name: string) => Number(readFileSync(join(folder, name), 'utf8'));
    assert.equal(read(join(memory, '..'), 'memory.limit_in_bytes'), 300 * 2 ** 20);
    assert.equal(read(join(cpu, '..'), 'cpu.shares'), 512);
    group.limit({ memoryMb: 64, processes: 10, cpus: 0.5, isBackground: true });
    assert.deepEqual([read(cpu, 'cpu.shares'), read(cpu, 'cpu.cfs_quota_us')], [256, 50_000]);
    group.limit({ memoryMb: 64, processes: 10 });
    assert.equal(read(cpu, 'cpu.shares'), 1_024);
  } finally {
    await group.remove();
    await groups.close();
  }
});

test('groups of servers that are gone are removed, and none that a server or a process has', async (t) => {
  await using owner = await mkdtempDisposable(join(tmpdir(), 'simcha-groups-'));
  const groups = openControlGroups(owner.path);
  const group = groups?.make();
  if (!groups || !group) return t.skip('no control groups can be made here');
  const roots = group.folders.map((folder) => dirname(folder));
  const sibling = (name: string) => roots.map((root) => join(dirname(root), name));
  const gone = spawnSync('true').pid;
  const sleeper = spawn('sleep', ['60']);
  const all = {
    abandoned: sibling(`simcha-0123456789ab-${gone}`),
    busy: sibling(`simcha-0123456789cd-${gone}`),
    served: sibling(`simcha-0123456789ef-${sleeper.pid}`),
  };
  try {
    for (const folder of Object.values(all).flat()) mkdirSync(join(folder, 'one'), { recursive: true });
    for (const folder of all.busy) writeFileSync(join(folder, 'one', 'cgroup.procs'), String(sleeper.pid));
    await groups.sweep();
    assert.deepEqual(
      all.abandoned.filter((folder) => existsSync(folder)),
      [],
    );
    assert.ok([...all.busy, ...all.served].every((folder) => existsSync(join(folder, 'one'))));
  } finally {
    sleeper.kill('SIGKILL');
    await once(sleeper, 'exit');
    await groups.sweep();
    await groups.close();
  }
  assert.deepEqual(
    [...roots, ...Object.values(all).flat()].filter((folder) => existsSync(folder)),
    [],
  );
});
