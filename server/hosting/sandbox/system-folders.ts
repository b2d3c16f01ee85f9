import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../kernel/config.ts';

// The parts of this machine's system that a sandbox sees: programs, what they need, and the settings that are no secret.
// Everything else of the machine is left out. Folders of the platform's own are hidden even where they lie in such a part.

const USR = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'share', 'include'];
/** Go's own instructions install it as `/usr/local/go`. */
const LOCAL = [...USR, 'go'];
const ROOT = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
/** Names, times and certificates of Debian, Fedora and Alpine; no passwords and no private keys. */
const ETC = [
  'alternatives',
  'ca-certificates',
  'hosts',
  'ld.so.cache',
  'localtime',
  'nsswitch.conf',
  'pki/ca-trust',
  'pki/java',
  'pki/tls/cert.pem',
  'pki/tls/certs',
  'pki/tls/openssl.cnf',
  'protocols',
  'services',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
];
const INSTALLATION = fileURLToPath(new URL('../../../', import.meta.url));

/** A folder that no sandbox may see. */
export interface OwnFolder {
  /** What an operator calls it, such as `DATA_DIR`. */
  what: string;
  /** Its real path. */
  path: string;
  /** Only what it holds itself is ours: a part of the system below it is none. */
  isShallow?: boolean;
}

/** A part of the system: where a sandbox sees it, and its real path. */
export interface Part {
  at: string;
  path: string;
}

/** The platform's own folders: the data, the installation, the working folder, and that of the `.env` file. */
export function ownFolders(dataDir: string): OwnFolder[] {
  const packages = join(INSTALLATION, 'node_modules');
  return [
    { what: 'DATA_DIR', path: realpathSync(dataDir) },
    { what: 'The installation', path: realpathSync(INSTALLATION) },
    ...(existsSync(packages) ? [{ what: 'node_modules', path: realpathSync(packages) }] : []),
    { what: 'The working folder', path: process.cwd(), isShallow: true },
    ...(existsSync('.env')
      ? [{ what: 'The .env file', path: dirname(realpathSync('.env')), isShallow: true }]
      : []),
  ];
}

/** bubblewrap's arguments for all parts that are there by now, without what is `own`. */
export function systemMounts(own: readonly OwnFolder[]): string[] {
  const parts = systemParts();
  return [
    ...linkedParts().flatMap(([target, at]) => ['--symlink', target, at]),
    ...parts.flatMap(({ at }) => ['--ro-bind', at, at]),
    ...emptied(parts, own).flatMap((at) => ['--perms', '0755', '--size', '4096', '--tmpfs', at]),
  ];
}

/** Makes the emptied folders read-only, once all else is mounted. */
export function closeEmptied(own: readonly OwnFolder[]): string[] {
  return emptied(systemParts(), own).flatMap((at) => ['--remount-ro', at]);
}

/** Whether any of the platform's own folders lies in a part of the system. Throws a ConfigError where it can't be hidden. */
export function liesInSystem(own: readonly OwnFolder[]): boolean {
  return emptied(systemParts(), own).length > 0;
}

/**
 * The folders that a sandbox sees as empty: of each part that holds one of ours, the first level below it, so that
 * what lies beside ours is hidden too. Throws a ConfigError where a whole part would have to be.
 */
export function emptied(parts: readonly Part[], own: readonly OwnFolder[]): string[] {
  const all = parts.flatMap(({ at, path }) =>
    own.flatMap(({ what, path: its, isShallow = false }) => {
      if (its === path || (!isShallow && isWithin(path, its))) {
        throw new ConfigError(
          `${what} is at ${its}, where sites have to see the system's programs (${at}); choose another folder.`,
        );
      }
      if (!isWithin(its, path)) return [];
      const [first = ''] = its.slice(path.length + 1).split('/');
      return [join(at, first)];
    }),
  );
  return [...new Set(all)];
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder === '/' ? folder : `${folder}/`);
}

function candidates(): string[] {
  return [
    ...USR.map((name) => `/usr/${name}`),
    ...LOCAL.map((name) => `/usr/local/${name}`),
    ...ROOT.map((name) => `/${name}`),
  ];
}

/** A link to another part, such as /bin on today's systems, is made again: [target, where]. */
function linkedParts(): [string, string][] {
  return candidates()
    .filter(isLinkToPart)
    .map((at) => [readlinkSync(at), at]);
}

function systemParts(): Part[] {
  const etc = [...ETC, ...phpSettings()].map((name) => `/etc/${name}`);
  return [...candidates().filter((at) => !isLinkToPart(at)), ...etc]
    .filter((at) => existsSync(at))
    .map((at) => ({ at, path: realpathSync(at) }));
}

function isLinkToPart(at: string): boolean {
  const isLink = lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (!isLink || !existsSync(at)) return false;
  return candidates().includes(realpathSync(at));
}

/** Which extensions its programs have; not what its servers are set up with, which may be secret. */
function phpSettings(): string[] {
  const versions = existsSync('/etc/php') ? readdirSync('/etc/php') : [];
  return versions.flatMap((version) => ['cli', 'mods-available'].map((part) => `php/${version}/${part}`));
}
