import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const SOURCE = new URL('early.js', import.meta.url);

/**
 * Names the script early.js by its content, so that browsers keep it. The document waits for this script: asking the
 * server whether it is still current would delay each visit by a round trip.
 */
export function earlyScript(): Plugin {
  let source = '';
  const fileName = () =>
    `assets/early-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`;
  return {
    name: 'simcha-early-script',
    apply: 'build',
    async buildStart() {
      source = await readFile(SOURCE, 'utf8');
      this.addWatchFile(SOURCE.pathname);
      this.emitFile({ type: 'asset', fileName: fileName(), source });
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('%BASE_URL%early.js', `%BASE_URL%${fileName()}`),
    },
  };
}
