import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { formatNumber, formatTable } from './support/measure.ts';

// Compares the start of the command `simcha` with the start of node alone, in turns: a command line that starts slowly
// is felt at every command, and at every completion.

const ROOT = join(import.meta.dirname, '..');
const COMMAND = join(ROOT, 'cli/bin/simcha.js');
const ROUNDS = 15;
const CALLS: Readonly<Record<string, readonly string[]>> = {
  'node alone': ['-e', '0'],
  'simcha --version': [COMMAND, '--version'],
  'simcha --help': [COMMAND, '--help'],
  'simcha whoami, signed out': [COMMAND, 'whoami'],
  'simcha complete -- dep': [COMMAND, 'complete', '--', 'dep'],
};

spawnSync('npm', ['run', '--silent', 'build', '-w', 'cli'], { cwd: ROOT, stdio: 'inherit' });
const times = new Map<string, number[]>();
for (let round = 0; round <= ROUNDS; round += 1)
  for (const [name, args] of Object.entries(CALLS)) {
    const began = performance.now();
    spawnSync(process.execPath, args, { env: { PATH: process.env.PATH, HOME: '/nowhere' } });
    // The first round fills node's cache of compiled code.
    if (round > 0) times.set(name, [...(times.get(name) ?? []), performance.now() - began]);
  }
const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const alone = medianOf(times.get('node alone') ?? []);
console.log(
  formatTable(
    ['start', 'ms', 'more than node'],
    [...times].map(([name, values]) => {
      const median = medianOf(values);
      return [name, formatNumber(median), formatNumber(median - alone)];
    }),
  ),
);
