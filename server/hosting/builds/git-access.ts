import { writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { readHead } from '../sandbox/folders.ts';

/** Repository with a checked address. */
export interface CheckedRepository {
  protocol: 'https' | 'ssh' | 'http' | 'git' | 'file';
  host: string;
  port: number | undefined;
  /** Address of the repository for git, without secrets. */
  address: string;
  /** Branch to fetch; null: the repository's default branch. */
  branch: string | null;
  /** IP address that the repository's host was resolved to: git connects to it and does not ask a name server again. */
  pinned: string | undefined;
  /** Credentials of the repository: `user:password` or `token`, percent-encoded. */
  credentials: string | undefined;
  /** OpenSSH private key, for a private repository. */
  privateKey: string | undefined;
}

/** Files that git needs for access to an application's repository: certificates and keys. */
export interface AccessFiles {
  /** PEM file with certificates for https; undefined: the system's. */
  caFile: string | undefined;
  /** Host keys that the application has seen, in the format of known_hosts. */
  hostKeys: string;
  /** Folder for keys while git runs, and its path as git sees it. */
  scratch: string;
  scratchInside: string;
}

export interface GitAccess {
  address: string;
  settings: string[];
  env: Record<string, string>;
  /** Reads the current host keys; undefined if git made them unreadable. Absent if git does not use ssh. */
  hostKeys?: () => Promise<string | undefined>;
}

/** Settings that let git connect to the checked address only, with the application's own secrets only. */
export async function openAccess(repository: CheckedRepository, files: AccessFiles): Promise<GitAccess> {
  const { protocol, host, port, address, pinned } = repository;
  const plainAccess = { address, settings: [], env: {} };
  switch (protocol) {
    case 'file':
      return plainAccess;
    case 'git':
      return pinned
        ? { ...plainAccess, address: address.replace(`//${bracketed(host)}`, `//${bracketed(pinned)}`) }
        : plainAccess;
    case 'http':
    case 'https': {
      const hostAndPort = `${host}:${port ?? (protocol === 'https' ? 443 : 80)}`;
      return {
        ...plainAccess,
        settings: [
          // An address with an IP address instead of a host name needs no lookup; besides, curl accepts no IPv6 address
          // as the host in this setting.
          ...(pinned && !isIP(host) ? ['-c', `http.curloptResolve=${hostAndPort}:${bracketed(pinned)}`] : []),
          ...(files.caFile ? ['-c', `http.sslCAInfo=${files.caFile}`] : []),
        ],
        env: repository.credentials ? authorization(repository.credentials) : {},
      };
    }
    case 'ssh':
      return openSsh(repository, files);
  }
}

/** Environment variables that give git the credentials: every user of the machine could list its arguments. */
function authorization(credentials: string): Record<string, string> {
  const [user = '', password = ''] = credentials.split(':', 2).map(decodeURIComponent);
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}

/**
 * Trusts an ssh host's key on first use and stores it; from then on, a different key is refused before anything is
 * sent. Each application has its own list, so that no application can make another distrust its host.
 */
async function openSsh(
  { address, host, port, pinned, privateKey }: CheckedRepository,
  { hostKeys, scratch, scratchInside }: AccessFiles,
): Promise<GitAccess> {
  if (privateKey) await writeFile(join(scratch, 'key'), `${privateKey.trimEnd()}\n`, { mode: 0o600 });
  await writeFile(join(scratch, 'known_hosts'), hostKeys, { mode: 0o600 });
  await writeFile(
    join(scratch, 'config'),
    [
      'Host *',
      // The name under which ssh stores the host's key includes the port: another port of the same host may be another
      // server with another key.
      ...(pinned ? [`HostName ${pinned}`, `HostKeyAlias ${port ? `[${host}]:${port}` : host}`] : []),
      `IdentityFile ${privateKey ? quoteForSsh(join(scratchInside, 'key')) : 'none'}`,
      'IdentitiesOnly yes',
      'IdentityAgent none',
      'BatchMode yes',
      'StrictHostKeyChecking accept-new',
      `UserKnownHostsFile ${quoteForSsh(join(scratchInside, 'known_hosts'))}`,
      'GlobalKnownHostsFile none',
      'PreferredAuthentications publickey',
      'CheckHostIP no',
      'ConnectTimeout 20',
      'ServerAliveInterval 15',
      '',
    ].join('\n'),
  );
  return {
    address,
    settings: [],
    // The ssh command is the same for every repository, because git hands it to a shell; everything variable is in
    // ssh's configuration file.
    env: {
      GIT_SSH_COMMAND: 'ssh -F "$SIMCHA_SSH_CONFIG"',
      GIT_SSH_VARIANT: 'ssh',
      SIMCHA_SSH_CONFIG: join(scratchInside, 'config'),
    },
    hostKeys: () => readHead(join(scratch, 'known_hosts')),
  };
}

/** Quotes a path for ssh's configuration, which expands `%h` and the like. */
function quoteForSsh(path: string): string {
  return `"${path.replaceAll('%', '%%')}"`;
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
