import { execFileSync, spawn } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Engine } from '../../server/hosting/engine/engine.ts';
import { findTools } from '../../server/hosting/sandbox/tools.ts';

const NEVER = new AbortController().signal;
export const BUSYBOX = '/bin/busybox';
/** Further libraries of the GNU C library, which native packages need. */
const LIBRARIES = ['librt.so.1', 'libutil.so.1', 'libresolv.so.2'];
export const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Packs a folder into a tar archive, which an engine takes as the context of a build. */
export function contextOf(folder: string): Readable {
  const child = spawn('tar', ['--create', '--directory', folder, '.'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return child.stdout;
}

/** Builds the base image for Node.js sites: this machine's Node.js and npm, and busybox for the rest. */
export async function makeNodeImage(engine: Engine, tag: string): Promise<void> {
  await using image = await imageFolder();
  const { put, at } = image;
  await put(BUSYBOX, BUSYBOX);
  const names = execFileSync(BUSYBOX, ['--list'], { encoding: 'utf8' }).trim().split('\n');
  for (const name of names) if (name !== 'busybox') await symlink('busybox', at('bin', name));
  const { node, npm } = findTools();
  await put(node, '/usr/local/bin/node');
  if (npm) await put(npm, '/usr/local/lib/node_modules/npm');
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, at(`usr/local/bin/${name}`));
  }
  const libraries = await image.putLibraries(node);
  // Some libraries are copied although node does not need them: native packages link with them.
  const ofC = dirname(libraries.find((path) => /\/libc\.so/.test(path)) ?? '');
  for (const name of LIBRARIES) await copyFile(join(ofC, name), at(ofC, name));
  await mkdir(at('usr/bin'), { recursive: true });
  await symlink(BUSYBOX, at('usr/bin/env'));
  // Certificates of this machine: the package registry may use an authority that only this machine knows.
  await put(CERTIFICATES, CERTIFICATES);
  const env = `PATH=/usr/local/bin:/usr/bin:/bin NODE_EXTRA_CA_CERTS=${CERTIFICATES}`;
  await image.build(engine, tag, `FROM scratch\nCOPY . /\nENV ${env}\n`);
}

/** Temporary folder whose contents become an image. */
export async function imageFolder() {
  const folder = await mkdtempDisposable('/tmp/simcha-image-');
  const at = (...names: string[]) => join(folder.path, ...names);
  const put = async (from: string, to: string) => {
    await mkdir(at(dirname(to)), { recursive: true });
    await cp(from, at(to), { recursive: true, dereference: false });
  };
  return {
    at,
    put,
    /** Adds the libraries that programs of this machine link with; returns their paths. */
    async putLibraries(...programs: string[]): Promise<string[]> {
      const needs = execFileSync('ldd', programs, { encoding: 'utf8' });
      const found = new Set([...needs.matchAll(/(?:=> |^\t)(\/\S+)/gm)].map(([, one = '']) => one));
      for (const path of found) {
        await mkdir(at(dirname(path)), { recursive: true });
        await copyFile(path, at(path));
      }
      return [...found];
    },
    async build(engine: Engine, tag: string, dockerfile: string): Promise<void> {
      await writeFile(at('Dockerfile'), dockerfile);
      const order = {
        context: contextOf(folder.path),
        tag,
        dockerfile: 'Dockerfile',
        labels: {},
        memory: 512 * 2 ** 20,
        network: 'none' as const,
      };
      await engine.build(order, () => {}, NEVER);
    },
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}
