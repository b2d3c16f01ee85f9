import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { CHROMIUM } from './chromium.ts';

// Debian packages and devices that the tests need on this machine. This file also finds processes that a test left on
// it.

const PACKAGES = [
  { name: 'postgresql-15', file: '/usr/lib/postgresql/15/bin/postgres' },
  { name: CHROMIUM.package, file: CHROMIUM.file },
  { name: 'git', file: '/usr/bin/git' },
  { name: 'openssh-client', file: '/usr/bin/ssh-keygen' },
  { name: 'openssh-server', file: '/usr/sbin/sshd' },
  { name: 'openssl', file: '/usr/bin/openssl' },
  { name: 'bubblewrap', file: '/usr/bin/bwrap' },
  { name: 'passt', file: '/usr/bin/pasta' },
  { name: 'iproute2', file: '/usr/sbin/ip' },
  { name: 'dovecot-imapd', file: '/usr/lib/dovecot/imap' },
  { name: 'caddy', file: '/usr/bin/caddy' },
  { name: 'python3-venv', file: '/usr/share/doc/python3-venv' },
  { name: 'php-cli', file: '/usr/bin/php' },
  { name: 'composer', file: '/usr/bin/composer' },
  { name: 'ruby', file: '/usr/bin/ruby' },
  { name: 'ruby-bundler', file: '/usr/bin/bundle' },
  { name: 'docker.io', file: '/usr/sbin/dockerd' },
  { name: 'docker-registry', file: '/usr/bin/docker-registry' },
  { name: 'busybox-static', file: '/bin/busybox' },
  { name: 'docker-compose', file: '/usr/bin/docker-compose' },
  { name: 'debootstrap', file: '/usr/sbin/debootstrap' },
];

/** Packages that only tests of a lane need, and which take long to download. */
const LANE_PACKAGES = [{ name: 'cargo-web', file: '/usr/bin/cargo' }];

/**
 * Installs missing Debian packages as root, for a quick run without those of lanes; ends the process with the command
 * to do so for other users.
 */
export function installPackages({ isQuick }: { isQuick: boolean }): void {
  const packages = isQuick ? PACKAGES : [...PACKAGES, ...LANE_PACKAGES];
  const missing = packages.filter(({ file }) => !existsSync(file)).map(({ name }) => name);
  if (missing.length === 0) return;
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  if (process.getuid?.() !== 0) {
    console.error(
      `The tests need Debian packages that are missing. Install them with:\n  sudo ${install.join(' ')}`,
    );
    process.exit(1);
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update'], { stdio: 'inherit', env });
  execFileSync('apt-get', install.slice(1), { stdio: 'inherit', env });
}

/** Opens the device that a sandbox of an ordinary user needs. Bare machines have it for root alone. */
export function openTunnels(): void {
  if (process.getuid?.() === 0 && existsSync('/dev/net/tun')) chmodSync('/dev/net/tun', 0o666);
}

/**
 * Reports files that tests left in a folder, and processes of tests that name this folder and still run; kills these
 * processes.
 */
export function reportOrphans(folder: string): boolean {
  const files = readdirSync(folder);
  for (const name of files) console.error(`A test left a folder behind: ${name}`);
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && mentions(pid, folder));
  for (const pid of processes) {
    console.error(`A test left a process behind: ${commandOf(pid)}`);
    process.kill(pid, 'SIGKILL');
  }
  return files.length + processes.length > 0;
}

/** True if a folder's path occurs in a process's environment or, for a sandbox, in its arguments. */
function mentions(pid: number, folder: string): boolean {
  try {
    return ['environ', 'cmdline'].some((file) =>
      readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(folder),
    );
  } catch {
    return false;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return String(pid);
  }
}
