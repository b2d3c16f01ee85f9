import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { PathLookup } from './account-entrance.ts';
import type { Confined, SandboxMount } from './confined.ts';
import { mergedFolder } from './overlay.ts';
import { closeEmptied, type OwnFolder, systemMounts } from './system-folders.ts';

/** Path of the command's folder inside the sandbox. */
export const APP = '/app';
/** Path of the command's home inside the sandbox. */
export const HOME = '/home/site';
/** Sizes of /tmp and /dev/shm, which a site may write to: both are in memory and count as memory. */
const TMP_BYTES = 256 * 2 ** 20;
const SHARED_BYTES = 64 * 2 ** 20;
const OWN_ETC = ['passwd', 'group', 'resolv.conf'];

const NAMESPACES = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--disable-userns',
  '--uid',
  '1000',
  '--gid',
  '1000',
  '--hostname',
  'localhost',
  '--cap-drop',
  'ALL',
  '--die-with-parent',
  '--new-session',
  '--clearenv',
];

/**
 * Arguments of bubblewrap: namespaces, and the files that the command sees. A later mount covers an earlier one.
 * Throws a RuntimeFailure if a link stands in the way of a volume.
 */
export function bubblewrapArguments(
  command: Confined,
  { at, npm, own }: { at: PathLookup; npm: boolean; own: readonly OwnFolder[] },
): string[] {
  return [
    ...NAMESPACES,
    ...systemMounts(own),
    ...OWN_ETC.flatMap((name) => ['--ro-bind', join(at('inside'), name), `/etc/${name}`]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--size',
    String(SHARED_BYTES),
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    ...(command.tmp === undefined
      ? ['--size', String(TMP_BYTES), '--tmpfs', '/tmp']
      : ['--bind', at('tmp'), '/tmp']),
    '--ro-bind',
    at('node'),
    '/runtime/bin/node',
    '--ro-bind',
    at('inside'),
    '/runtime/inside',
    ...(npm ? ['--ro-bind', at('npm'), '/runtime/npm'] : []),
    ...(npm ? ['npm', 'npx'] : []).flatMap((name) => [
      '--symlink',
      `../npm/bin/${name}-cli.js`,
      `/runtime/bin/${name}`,
    ]),
    ...(command.reads ?? []).flatMap((path, n) => ['--ro-bind', at(readName(n)), path]),
    // Each folder of the command's control group is mounted at the root of a hierarchy, because /proc/self/cgroup, too,
    // shows the command's group as the root (control group namespace).
    ...(command.groups ?? []).flatMap(({ folder, at }) => ['--ro-bind', folder, at]),
    ...folderOf(command, at),
    '--bind',
    at('home'),
    HOME,
    // Volumes come last: no later mount may take its source from a path that a volume now covers.
    ...(command.mounts ?? []).flatMap((one, n) => ['--bind', at(mountName(n)), mountPoint(command, one)]),
    ...closeEmptied(own),
    '--remount-ro',
    '/',
    '--chdir',
    workdirOf(command),
  ];
}

/**
 * Path to mount a volume at. bubblewrap follows links on the way to a mount point, and at that moment the machine's own
 * files are still beside its new root: a link in the untrusted folder could lead there, so links are refused. No
 * process writes to the folder meanwhile. Throws a RuntimeFailure.
 */
function mountPoint({ folder }: Confined, { at }: SandboxMount): string {
  const [, root, ...parts] = at.split('/');
  if (`/${root}` !== APP) return at;
  for (const [index] of parts.entries()) {
    const path = parts.slice(0, index + 1).join('/');
    const entry = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (!entry) break;
    if (!entry.isDirectory()) throw new RuntimeFailure(reason('volume_through_link', { volume: at, path }));
  }
  return at;
}

function folderOf({ layer, writable }: Confined, at: PathLookup): string[] {
  if (layer !== undefined) return ['--bind', mergedFolder(at('layer')), APP];
  return [writable ? '--bind' : '--ro-bind', at('app'), APP];
}

function workdirOf({ below }: Confined): string {
  return join(APP, below);
}

export function readName(n: number): string {
  return `read${n}`;
}

export function mountName(n: number): string {
  return `mount${n}`;
}
