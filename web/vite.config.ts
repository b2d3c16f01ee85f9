import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import mantine from 'postcss-preset-mantine';
import { defineConfig, type Plugin } from 'vite';
import { earlyScript } from './early-script.ts';
import { firstLoads } from './first-loads.ts';
import { serviceWorker } from './service-worker-build.ts';
import { unusedStyles } from './unused-styles.ts';

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

const DATES = /node_modules\/(@mantine\/dates|dayjs)|components\/day-/;
const FORMS = new RegExp(
  'node_modules/(@mantine/form|uqr|.*/(MultiSelect|TagsInput|PillsInput|Textarea|Tabs|Radio|Switch)/)|' +
    'components/(amount-input|draft-form|draft-note|edit-form|form-draft|language-tabs|merge-conflict|save-with-merge|share-link)',
);
const COMMON = /web\/src\/(components|lib|features\/events\/api)\//;
const isPlain = (id: string) => !DATES.test(id) && !FORMS.test(id);

/**
 * Chunks of the console. Left to itself, the build makes some hundred small ones, which a phone loads one after the
 * other; with these, a page needs about ten. Modules of a single page stay in the page's own chunk. The overview of an
 * event and the frame around an event's pages are one chunk with all that they import, and nothing else: the page that
 * people open most, often by a link on a phone.
 */
const CHUNKS = [
  { name: 'libraries', test: /node_modules/, tags: ['$initial' as const] },
  { name: 'start', tags: ['$initial' as const] },
  { name: 'event', test: /features\/overview\// },
  { name: 'widgets', test: (id: string) => id.includes('node_modules') && isPlain(id), minShareCount: 2 },
  { name: 'common', test: (id: string) => COMMON.test(id) && isPlain(id), minShareCount: 2 },
  { name: 'forms', test: FORMS, minShareCount: 2 },
  { name: 'dates', test: DATES },
  { name: 'import', test: /features\/guests\/.*\/?import-/, minShareCount: 2 },
  {
    name: (id: string) => /features\/([\w-]+)/.exec(id)?.[1] ?? 'other',
    debugName: 'features',
    minShareCount: 2,
  },
].map((chunk, at, all) => ({ ...chunk, priority: all.length - at }));

/**
 * Makes Chromium compile all functions of two chunks in the background, while they are loaded: more than half of them
 * run at once. Otherwise it compiles each function when it is first called, which holds up the page
 * (https://v8.dev/blog/explicit-compile-hints).
 */
const postBanner = ({ name }: { name: string }) =>
  ['libraries', 'event'].includes(name) ? '//# allFunctionsCalledOnLoad' : '';

/** Server to which `npm run dev -w web` forwards requests. */
const server = process.env.SIMCHA_URL ?? 'http://localhost:3000';

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig(({ command }) => ({
  plugins: [react(), earlyScript(), unusedStyles(), firstLoads(), serviceWorker(), compressed()],
  base: command === 'build' ? '/console/' : '/',
  css: { postcss: { plugins: [mantine()] } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    manifest: true,
    // One style sheet: those of pages are too small to be worth requests of their own.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS }, postBanner } },
  },
  server: {
    proxy: { '/api': server, '/icon.svg': server, '/i/': server, '/docs': server, '/openapi.json': server },
  },
}));
