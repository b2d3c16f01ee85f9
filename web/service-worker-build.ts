import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const SOURCE = new URL('service-worker.js', import.meta.url);
/** Files that are kept for times without a network: scripts, styles, and the letters of the three languages. */
const KEPT = /\.(js|css)$|rubik-(hebrew|arabic|latin)-wght.*\.woff2$/;
const BASE = '/console/';

/** Writes the console's service worker, with the names of this build's files in it. */
export function serviceWorker(): Plugin {
  return {
    name: 'simcha-service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.keys(bundle).filter((name) => KEPT.test(name));
        const paths = files.map((name) => BASE + name).sort();
        const entry =
          Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)?.fileName ?? '';
        const source = await readFile(SOURCE, 'utf8');
        const filled = source
          .replace(
            '{{version}}',
            createHash('sha256')
              .update(source + paths.join())
              .digest('hex')
              .slice(0, 16),
          )
          .replace('{{files}}', JSON.stringify(paths))
          .replace('{{entry}}', BASE + entry);
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: filled });
      },
    },
  };
}
