import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../kernel/config.ts';

// Folders and files of this machine's operating system that a sandbox sees: programs, the files that they need, and
// settings that are not secret. Everything else of the machine is hidden. The platform's own folders are hidden even if
// they lie in such a folder.

const USR = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'share', 'include'];
/**
 * Go's own installation instructions put Go at `/usr/local/go`; Rust's images have Rust in `cargo` and `rustup`, of which
 * `cargo` may also contain credentials.
 */
const LOCAL = [...USR, 'go', 'cargo/bin', 'rustup'];
const ROOT = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
/** Files in /etc with names, times and certificates, on Debian, Fedora and Alpine; no passwords and no private keys. */
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

/** Folder of the platform that no sandbox may see. */
export interface OwnFolder {
  /** Name of the folder in messages to the operator, such as `DATA_DIR`. */
  label: string;
  /** Real path of the folder. */
  path: string;
  /**
   * True if only the files directly in the folder are the platform's, and not its subfolders, which may belong to the
   * operating system.
   */
  isShallow?: boolean;
}

/** Folder or file of the operating system that a sandbox sees: its path inside the sandbox, and its real path. */
export interface SystemPart {
  at: string;
  path: string;
}

/** Folders of the platform: its data, the installation, the working folder, and the folder of the `.env` file. */
export function ownFolders(dataDir: string): OwnFolder[] {
  const packages = join(INSTALLATION, 'node_modules');
  return [
    { label: 'DATA_DIR', path: realpathSync(dataDir) },
    { label: 'The installation', path: realpathSync(INSTALLATION) },
    ...(existsSync(packages) ? [{ label: 'node_modules', path: realpathSync(packages) }] : []),
    { label: 'The working folder', path: process.cwd(), isShallow: true },
    ...(existsSync('.env')
      ? [{ label: 'The .env file', path: dirname(realpathSync('.env')), isShallow: true }]
      : []),
  ];
}

/** Arguments of bubblewrap that mount all existing system folders, without the platform's folders in `own`. */
export function systemMounts(own: readonly OwnFolder[]): string[] {
  const parts = systemParts();
  return [
    ...linkedParts().flatMap(([target, at]) => ['--symlink', target, at]),
    ...parts.flatMap(({ at }) => ['--ro-bind', at, at]),
    ...emptiedFolders(parts, own).flatMap((at) => ['--perms', '0755', '--size', '4096', '--tmpfs', at]),
  ];
}

/**
 * Arguments of bubblewrap that make read-only the folders that the sandbox sees as empty (`emptiedFolders`); they come
 * after all mounts.
 */
export function closeEmptied(own: readonly OwnFolder[]): string[] {
  return emptiedFolders(systemParts(), own).flatMap((at) => ['--remount-ro', at]);
}

/**
 * True if a folder of the platform lies in a system folder that sandboxes see. Throws a ConfigError if the platform's
 * folder can't be hidden from them.
 */
export function liesInSystem(own: readonly OwnFolder[]): boolean {
  return emptiedFolders(systemParts(), own).length > 0;
}

/**
 * Folders that a sandbox sees as empty, because a folder of the platform lies in them: if /usr is a system folder and
 * the platform's folder is /usr/a/b, /usr/a is empty, so that neighbours of the platform's folder are hidden too.
 * Throws a ConfigError if a whole system folder would have to be empty.
 */
export function emptiedFolders(parts: readonly SystemPart[], own: readonly OwnFolder[]): string[] {
  const all = parts.flatMap(({ at, path }) =>
    own.flatMap(({ label, path: ownPath, isShallow = false }) => {
      if (ownPath === path || (!isShallow && isWithin(path, ownPath))) {
        throw new ConfigError(
          `${label} is at ${ownPath}, where sites have to see the system's programs (${at}); choose another folder.`,
        );
      }
      if (!isWithin(ownPath, path)) return [];
      const [first = ''] = ownPath.slice(path.length + 1).split('/');
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

/**
 * System folders of this machine that are only symbolic links to other system folders, such as /bin on today's systems.
 * The sandbox gets the same links: [target, path].
 */
function linkedParts(): [string, string][] {
  return candidates()
    .filter(isLinkToPart)
    .map((at) => [readlinkSync(at), at]);
}

function systemParts(): SystemPart[] {
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

/** PHP's settings for command-line programs and its extensions; not those of its servers, which may be secret. */
function phpSettings(): string[] {
  const versions = existsSync('/etc/php') ? readdirSync('/etc/php') : [];
  return versions.flatMap((version) => ['cli', 'mods-available'].map((part) => `php/${version}/${part}`));
}
