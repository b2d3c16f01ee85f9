import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openControlGroups } from '../../../server/hosting/sandbox/cgroups.ts';
import { ownMemory, processName, readProcesses } from '../../../server/hosting/sandbox/processes.ts';
import { newApplication, verifiedUser } from '../../support/deployed.ts';
import { startEndlessList, startEndlessPack, startLongList } from '../../support/git-servers.ts';
import { spawnReadyServer } from '../../support/process.ts';
import { temporaryDatabase } from '../../support/server.ts';
import { unprivilegedUser } from '../../support/unprivileged-user.ts';

const MEBIBYTE = 2 ** 20;
const SETTINGS = {
  APPS_GIT_PROTOCOLS: 'http,git',
  APPS_ALLOW_PRIVATE_HOSTS: 'true',
  APPS_ISOLATION: 'sandbox',
  APPS_BUILD_MEMORY_MB: '256',
  APPS_DISK_MB: '32',
  RATE_LIMIT: '1000000',
};

/** Looks every few milliseconds, until the returned function is called, which gives the most that was seen. */
function peakOf(look: () => number): () => number {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, look());
  }, 20).unref();
  return () => {
    clearInterval(timer);
    return most;
  };
}

function canGroup(): boolean {
  const groups = openControlGroups(tmpdir());
  groups?.close();
  return groups !== undefined;
}

function gitBelow(pid: number): number[] {
  const tree = readProcesses().treeOf(pid);
  return tree.map((one) => one.pid).filter((one) => processName(one).startsWith('git'));
}

/** Of the files below it that are there for long enough to be measured. */
function sizeOf(folder: string): number {
  return sumOf(
    namesIn(folder).map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
  );
}

/** None where a folder is removed while it is read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

for (const [who, user, groups] of [
  ['with control groups', {}, true],
  ['without control groups', unprivilegedUser(), false],
] as const) {
  test(`a repository that never ends fails its deployment within the limits of memory and disk (${who})`, async (t) => {
    if (!user) return t.skip('no ordinary user can run node from here');
    if (groups && !canGroup()) return t.skip('no control groups can be made here');
    await using list = await startEndlessList();
    await using long = await startLongList(90);
    await using pack = await startEndlessPack();
    await using database = await temporaryDatabase('embedded');
    const { DATA_DIR } = database.env;
    if (user.uid) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, DATA_DIR]);
    const server = await spawnReadyServer({ ...database.env, ...SETTINGS }, user);
    const { pid = 0 } = server.child;
    try {
      const { call } = await verifiedUser(server.url, DATA_DIR);
      const outcome = async (address: string) =>
        (await (await newApplication(call, server.url, address, { branch: 'main' })).deploy('failed')).reason;

      // Two processes keep the long list; without control groups both may fill up before they are looked at together.
      for (const [{ address }, most] of [
        [list, 256],
        [long, groups ? 256 : 512],
      ] as const) {
        const memory = peakOf(() => sumOf(gitBelow(pid).map(ownMemory)));
        assert.equal(
          await outcome(address),
          'Fetching the repository failed: git exceeded its memory limit of 256 MiB and was stopped.',
        );
        const took = memory() / MEBIBYTE;
        assert.ok(took > 16 && took <= most, `git took ${took} MiB`);
      }

      const disk = peakOf(() => sizeOf(join(DATA_DIR, 'repositories')));
      assert.equal(await outcome(pack.address), 'The repository is larger than 32 MiB.');
      const held = disk() / MEBIBYTE;
      assert.ok(held > 16 && held < 34, `the disk held ${held} MiB`);
      assert.deepEqual(gitBelow(pid), []);
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  });
}
