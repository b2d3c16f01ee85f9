import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface LockedPackage {
  link?: true;
  inBundle?: true;
  integrity?: string;
  hasInstallScript?: true;
}

const LOCKFILES = [
  'package-lock.json',
  'client/generator/package-lock.json',
  'examples/node/package-lock.json',
] as const;

/** Packages of a lockfile that come from the registry, by their folders. */
function lockedPackages(lockfile: string): [string, LockedPackage][] {
  const { packages } = JSON.parse(readFileSync(new URL(`../${lockfile}`, import.meta.url), 'utf8'));
  const entries = Object.entries<LockedPackage>(packages);
  return entries.filter(([folder, { link }]) => folder.includes('node_modules/') && !link);
}

for (const lockfile of LOCKFILES) {
  test(`every package of ${lockfile} has a hash, so that npm ci installs nothing else`, () => {
    const packages = lockedPackages(lockfile);
    assert.ok(packages.length > 0);
    const unlocked = packages.filter(([, { integrity, inBundle }]) => !integrity && !inBundle);
    assert.deepEqual(
      unlocked.map(([folder]) => folder),
      [],
      'npm keeps what a lockfile lacks: remove node_modules and the lockfile, and run npm install --package-lock-only',
    );
  });
}

test('no package of ours runs a script when it is installed', () => {
  const scripted = lockedPackages('package-lock.json').filter(([, { hasInstallScript }]) => hasInstallScript);
  assert.deepEqual(
    scripted.map(([folder]) => folder),
    [],
  );
});
