import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageFolder } from '../../commands/cluster/node-image.ts';
import { startRegistry } from '../../commands/cluster/registry.ts';
import { startSweeper } from '../../commands/cluster/sweeper.ts';
import type { Engine } from '../../server/hosting/engine/engine.ts';
import { registryHeaders } from '../../server/hosting/engine/registry.ts';
import { RegistryClient } from '../../server/hosting/engine/registry-client.ts';
import { NODE } from './engine.ts';
import { serverCode } from './runtime.ts';

const NEVER = new AbortController().signal;

/** Registry with a user and a password, on a machine of its own, that the tests' engines reach. */
export async function openImageRegistry() {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp('/tmp/simcha-registry-');
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const sweeper = opened.use(startSweeper());
  const owned = opened.use(new AsyncDisposableStack());
  const { address, ...login } = await startRegistry(join(folder, 'registry'), sweeper, owned);
  const client = new RegistryClient({ origin: `http://${address}`, ...login });
  const all = opened.move();
  return {
    address,
    ...login,
    /** Makes an image of a site that answers with the value of an expression, and pushes it. Returns its digest. */
    async push(engine: Engine, name: string, expression: string, lines: readonly string[] = []) {
      const image = `${address}/${name}`;
      await using files = await imageFolder();
      await mkdir(files.at('srv'));
      await writeFile(files.at('srv/server.js'), serverCode(expression));
      const dockerfile = [`FROM ${NODE}`, 'COPY srv /srv', 'CMD ["node", "/srv/server.js"]', ...lines].join(
        '\n',
      );
      await files.build(engine, image, `${dockerfile}\n`);
      await engine.push(image, registryHeaders(address, login), NEVER);
      await engine.removeImage(image, NEVER);
      const [repository = '', tag = ''] = name.split(':');
      const digest = await client.digest(repository, tag, NEVER);
      if (digest === undefined) throw new Error('the registry lacks what was pushed');
      return digest;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
