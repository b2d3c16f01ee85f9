import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { compose } from '../server/compose.ts';
import { readConfig } from '../server/kernel/config.ts';
import { startPostgres } from './support/postgres.ts';
import { query } from './support/server.ts';

// `npm test`, or `npm test -- server/events test/contract` for some of it: sets up what the tests need, runs them.

const PACKAGES = [
  { name: 'postgresql-15', file: '/usr/lib/postgresql/15/bin/postgres' },
  { name: 'chromium', file: '/usr/bin/chromium' },
  { name: 'git', file: '/usr/bin/git' },
  { name: 'openssh-client', file: '/usr/bin/ssh-keygen' },
  { name: 'openssh-server', file: '/usr/sbin/sshd' },
  { name: 'openssl', file: '/usr/bin/openssl' },
  { name: 'bubblewrap', file: '/usr/bin/bwrap' },
  { name: 'caddy', file: '/usr/bin/caddy' },
];
installPackages();

const folder = await mkdtemp(join(tmpdir(), 'simcha-tests-'));
const postgres = await startPostgres(['fsync=off', 'max_connections=400']);
await query(postgres.url('postgres'), 'create database simcha_template');
await migrated({ DATABASE_URL: postgres.url('simcha_template') });
await migrated({});

const paths = process.argv.slice(2).map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
const tests = spawn(
  process.execPath,
  // A failed test may leave something open: that must not keep the run from ending and telling of it.
  [
    '--test',
    '--test-concurrency=2',
    '--test-timeout=300000',
    '--test-force-exit',
    ...(paths.length > 0 ? paths : ['{server,test,bench}/**/*.test.ts']),
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      SIMCHA_TEST_POSTGRES: postgres.url('postgres'),
      SIMCHA_TEST_EMBEDDED: join(folder, 'database'),
    },
  },
);
const code = await new Promise<number>((resolve) => tests.on('exit', (status) => resolve(status ?? 1)));
await postgres.remove();
await rm(folder, { recursive: true, force: true });
process.exit(code);

async function migrated(env: Record<string, string>): Promise<void> {
  const config = readConfig({ DATA_DIR: folder, ...env });
  const simcha = await compose(config, pino({ level: 'warn' }));
  await simcha.start();
  await simcha.close();
}

/** Debian packages that are missing are installed where we may; elsewhere the command to do so is named. */
function installPackages(): void {
  const missing = PACKAGES.filter(({ file }) => !existsSync(file)).map(({ name }) => name);
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
