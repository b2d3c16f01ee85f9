import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import mantine from 'postcss-preset-mantine';
import { defineConfig, type Plugin } from 'vite';

/** Writes compressed copies beside each file of the build, since the server does not compress while it answers. */
function compressed(): Plugin {
  const worth = /\.(js|css|svg|webmanifest)$/;
  return {
    name: 'simcha-compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!worth.test(fileName)) continue;
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          if (source.length < 1_000) continue;
          const small = {
            br: await promisify(brotliCompress)(source),
            gz: await promisify(gzip)(source, { level: 9 }),
          };
          for (const [ending, content] of Object.entries(small))
            this.emitFile({ type: 'asset', fileName: `${fileName}.${ending}`, source: content });
        }
      },
    },
  };
}

/** Server to which `npm run dev -w web` forwards requests. */
const server = process.env.SIMCHA_URL ?? 'http://localhost:3000';

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig(({ command }) => ({
  plugins: [react(), compressed()],
  base: command === 'build' ? '/console/' : '/',
  css: { postcss: { plugins: [mantine()] } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    manifest: true,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '/api': server, '/icon.svg': server, '/i/': server, '/docs': server, '/openapi.json': server },
  },
}));
