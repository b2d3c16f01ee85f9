import { folderName } from './folder-name.ts';

/** Framework in one of its deployment modes, such as a server or static files. */
export interface Framework {
  name: string;
  /** Packages by which the framework is recognised: all of them must be among the dependencies. */
  packages: readonly string[];
  /**
   * Condition that a source must also meet for this mode of the framework: a file whose name begins with `file`
   * contains `says`, the package.json has a build script that matches, or a folder exists.
   */
  when?: { file: string; says: RegExp } | { script: RegExp } | { folder: string };
  kind: 'server' | 'static';
  /** Command that builds the site if its package has no build script. */
  build?: string;
  /** Names of build scripts besides `build`. */
  buildScripts?: readonly string[];
  start?: string;
  /** Names of start scripts if `start` is not suitable; a name that ends with `:` is a prefix. */
  startScripts?: readonly string[];
  /** Pattern for start scripts that do not suit this mode of the framework. */
  unfit?: RegExp;
  /**
   * Folders in which the build puts the site's files; `*` stands for any single folder. `{output}`, here and in
   * `start`: the folder that Nx's `project.json` names.
   */
  publish?: readonly string[];
  /**
   * Place of a setting that names another output folder of the framework's build: a file whose name begins with `file`,
   * in which the first group of the pattern `says` captures the folder.
   */
  output?: { file: string; says: RegExp };
  /** Folders in which the framework keeps caches for the next build. */
  caches?: readonly string[];
  /** True for frameworks of single-page apps: the start page handles paths without a file. */
  spa?: true;
  /** Port on which the framework listens regardless of PORT. */
  port?: number;
  /** Environment variables for the framework's sites, which the application's own variables override. */
  variables?: Readonly<Record<string, string>>;
  /** Path of the health check for the framework's sites. */
  health?: string;
  /** Packages, one of which the source must have before it can run here. */
  needs?: readonly string[];
  /** Address of the framework's official documentation. */
  source: string;
  /** Version of the framework that was tested: installed, built, and, if it is a server, requested over HTTP. */
  verified?: string;
}

/** Next.js keeps files for its next build here: https://nextjs.org/docs/app/guides/ci-build-caching */
const NEXT_CACHES = ['.next/cache'];
/**
 * Nuxt keeps files for its next build here: https://nuxt.com/docs/guide/going-further/experimental-features#buildcache
 */
const NUXT_CACHES = ['node_modules/.cache/nuxt'];
/**
 * Astro keeps files for its next build here: https://docs.astro.build/en/reference/configuration-reference/#cachedir
 */
const ASTRO_CACHES = ['node_modules/.astro'];
/** Cache of Angular, only if its settings allow the cache on build machines: https://angular.dev/cli/cache */
const ANGULAR_CACHES = ['.angular/cache'];
/** Parcel keeps files for its next build here: https://parceljs.org/features/cli/ */
const PARCEL_CACHES = ['.parcel-cache'];
/** Default cache of webpack and rspack: https://webpack.js.org/configuration/cache/#cachecachedirectory */
const WEBPACK_CACHES = ['node_modules/.cache'];

const NX = 'https://nx.dev/reference/project-configuration';
/** Nx executors that run or build a Node.js program. */
const NX_SERVER = /"executor"\s*:\s*"@(?:nx|nrwl)\/(?:esbuild:|js:|node:)|"target"\s*:\s*"node"/;

/** Vite's setting for the folder with its output: https://vite.dev/config/build-options#build-outdir */
const VITE_OUTPUT = { file: 'vite.config.', says: /\boutDir\s*:\s*['"`]([^'"`]+)['"`]/ };

const NITRO = 'node .output/server/index.mjs';
const VITE = 'https://vite.dev/guide/static-deploy.html';
const ANGULAR = 'https://angular.dev/tools/cli/deployment';

/** Frameworks in order of precedence: those built on others come first. docs/apps.md has the same table. */
export const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'Nx (a server)',
    packages: ['nx'],
    when: { file: 'project.json', says: NX_SERVER },
    kind: 'server',
    build: 'nx build',
    start: 'node {output}/main.js',
    source: NX,
    verified: '22.7.12',
  },
  {
    name: 'Nx (pages)',
    packages: ['nx'],
    when: { file: 'project.json', says: /"name"/ },
    kind: 'static',
    build: 'nx build',
    publish: ['{output}/browser', '{output}', 'dist'],
    spa: true,
    source: NX,
  },
  {
    name: 'Nx (a workspace)',
    packages: ['nx'],
    when: { script: /\bnx\b/ },
    kind: 'static',
    build: 'nx run-many --target=build',
    publish: ['dist/apps/*/browser', 'dist/apps/*', 'apps/*/dist'],
    spa: true,
    source: NX,
  },
  {
    name: 'Next.js (static export)',
    packages: ['next'],
    when: { file: 'next.config.', says: /\boutput\s*:\s*['"`]export['"`]/ },
    kind: 'static',
    build: 'next build',
    unfit: /\bnext start\b/,
    publish: ['out'],
    caches: NEXT_CACHES,
    source: 'https://nextjs.org/docs/app/guides/static-exports',
    verified: '16.4.6',
  },
  {
    name: 'Next.js (standalone)',
    packages: ['next'],
    when: { file: 'next.config.', says: /\boutput\s*:\s*['"`]standalone['"`]/ },
    kind: 'server',
    build: 'next build',
    // Next.js's standalone server needs files copied by hand; `next start` finds them, because the whole folder is
    // deployed.
    start: 'next start',
    caches: NEXT_CACHES,
    source: 'https://nextjs.org/docs/app/api-reference/config/next-config-js/output',
    verified: '16.4.6',
  },
  {
    name: 'Next.js',
    packages: ['next'],
    kind: 'server',
    build: 'next build',
    start: 'next start',
    caches: NEXT_CACHES,
    source: 'https://nextjs.org/docs/app/getting-started/deploying',
    verified: '16.4.6',
  },
  {
    name: 'Nuxt (generated)',
    packages: ['nuxt'],
    when: { script: /\b(nuxt|nuxi) generate\b/ },
    kind: 'static',
    build: 'nuxt generate',
    publish: ['.output/public', 'dist'],
    caches: NUXT_CACHES,
    source: 'https://nuxt.com/docs/getting-started/deployment#static-hosting',
  },
  {
    name: 'Nuxt',
    packages: ['nuxt'],
    kind: 'server',
    build: 'nuxt build',
    start: NITRO,
    caches: NUXT_CACHES,
    source: 'https://nuxt.com/docs/getting-started/deployment#nodejs-server',
    verified: '4.5.2',
  },
  {
    name: 'SvelteKit (adapter-node)',
    packages: ['@sveltejs/kit', '@sveltejs/adapter-node'],
    kind: 'server',
    build: 'vite build',
    start: 'node build',
    // Without these variables, SvelteKit's adapter-node assumes https and refuses form posts on sites without https.
    variables: { PROTOCOL_HEADER: 'x-forwarded-proto', HOST_HEADER: 'x-forwarded-host' },
    source: 'https://svelte.dev/docs/kit/adapter-node',
    verified: '3.2.0',
  },
  {
    name: 'SvelteKit (adapter-static)',
    packages: ['@sveltejs/kit', '@sveltejs/adapter-static'],
    kind: 'static',
    build: 'vite build',
    publish: ['build'],
    output: { file: 'svelte.config.', says: /\bpages\s*:\s*['"`]([^'"`]+)['"`]/ },
    source: 'https://svelte.dev/docs/kit/adapter-static',
    verified: '2.70.4',
  },
  ...['auto', 'vercel', 'netlify', 'cloudflare'].map(
    (adapter): Framework => ({
      name: `SvelteKit (adapter-${adapter})`,
      packages: ['@sveltejs/kit', `@sveltejs/adapter-${adapter}`],
      kind: 'server',
      needs: ['@sveltejs/adapter-node', '@sveltejs/adapter-static'],
      source: 'https://svelte.dev/docs/kit/adapters',
    }),
  ),
  {
    name: 'Astro (@astrojs/node)',
    packages: ['astro', '@astrojs/node'],
    kind: 'server',
    build: 'astro build',
    start: 'node dist/server/entry.mjs',
    caches: ASTRO_CACHES,
    source: 'https://docs.astro.build/en/guides/integrations-guide/node/',
    verified: '7.3.5',
  },
  ...['vercel', 'netlify', 'cloudflare'].map(
    (adapter): Framework => ({
      name: `Astro (@astrojs/${adapter})`,
      packages: ['astro', `@astrojs/${adapter}`],
      kind: 'server',
      needs: ['@astrojs/node'],
      source: 'https://docs.astro.build/en/guides/on-demand-rendering/',
    }),
  ),
  {
    name: 'Astro',
    packages: ['astro'],
    kind: 'static',
    build: 'astro build',
    publish: ['dist'],
    output: { file: 'astro.config.', says: /\boutDir\s*:\s*['"`]([^'"`]+)['"`]/ },
    caches: ASTRO_CACHES,
    source: 'https://docs.astro.build/en/guides/deploy/',
    verified: '7.3.5',
  },
  {
    name: 'React Router (SPA mode)',
    packages: ['@react-router/dev'],
    when: { file: 'react-router.config.', says: /\bssr\s*:\s*false\b/ },
    kind: 'static',
    build: 'react-router build',
    unfit: /\breact-router-serve\b/,
    publish: ['build/client'],
    spa: true,
    source: 'https://reactrouter.com/how-to/spa',
    verified: '7.18.4',
  },
  {
    name: 'React Router',
    packages: ['@react-router/dev', '@react-router/serve'],
    kind: 'server',
    build: 'react-router build',
    start: 'react-router-serve ./build/server/index.js',
    source: 'https://reactrouter.com/start/framework/deploying',
    verified: '8.4.0',
  },
  {
    name: 'Remix (SPA mode)',
    packages: ['@remix-run/dev'],
    when: { file: 'vite.config.', says: /\bssr\s*:\s*false\b/ },
    kind: 'static',
    build: 'remix vite:build',
    unfit: /\bremix-serve\b/,
    publish: ['build/client'],
    spa: true,
    source: 'https://v2.remix.run/docs/guides/spa-mode',
  },
  {
    name: 'Remix',
    packages: ['@remix-run/dev', '@remix-run/serve'],
    kind: 'server',
    build: 'remix vite:build',
    start: 'remix-serve ./build/server/index.js',
    source: 'https://v2.remix.run/docs/other-api/serve',
  },
  {
    name: 'SolidStart',
    packages: ['@solidjs/start'],
    kind: 'server',
    build: 'vinxi build',
    start: NITRO,
    source: 'https://docs.solidjs.com/solid-start/reference/config/define-config',
  },
  {
    name: 'TanStack Start (Nitro)',
    packages: ['@tanstack/react-start', 'nitro'],
    kind: 'server',
    build: 'vite build',
    start: NITRO,
    source: 'https://tanstack.com/start/latest/docs/framework/react/guide/hosting',
  },
  {
    name: 'Qwik City',
    packages: ['@builder.io/qwik-city'],
    kind: 'server',
    build: 'qwik build',
    startScripts: ['serve'],
    source: 'https://qwik.dev/docs/deployments/node/',
  },
  {
    name: 'Analog',
    packages: ['@analogjs/platform'],
    kind: 'server',
    build: 'vite build',
    start: 'node dist/analog/server/index.mjs',
    source: 'https://analogjs.org/docs/features/deployment/overview',
  },
  {
    name: 'NestJS',
    packages: ['@nestjs/core'],
    kind: 'server',
    build: 'nest build',
    start: 'node dist/main',
    startScripts: ['start:prod'],
    source: 'https://docs.nestjs.com/deployment',
    verified: '12.5.1',
  },
  {
    name: 'Eleventy',
    packages: ['@11ty/eleventy'],
    kind: 'static',
    build: 'eleventy',
    publish: ['_site'],
    output: { file: 'eleventy.config.', says: /\boutput\s*:\s*['"`]([^'"`]+)['"`]/ },
    // Eleventy's plugins keep downloads here for the next build: https://www.11ty.dev/docs/plugins/fetch/
    caches: ['.cache'],
    source: 'https://www.11ty.dev/docs/deployment/',
    verified: '3.1.8',
  },
  {
    name: 'VitePress (at the root)',
    packages: ['vitepress'],
    when: { folder: '.vitepress' },
    kind: 'static',
    build: 'vitepress build',
    buildScripts: ['docs:build'],
    publish: ['.vitepress/dist'],
    source: 'https://vitepress.dev/guide/deploy',
  },
  {
    name: 'VitePress',
    packages: ['vitepress'],
    kind: 'static',
    build: 'vitepress build docs',
    buildScripts: ['docs:build'],
    publish: ['docs/.vitepress/dist'],
    source: 'https://vitepress.dev/guide/deploy',
    verified: '1.6.4',
  },
  {
    name: 'VuePress',
    packages: ['vuepress'],
    kind: 'static',
    build: 'vuepress build docs',
    buildScripts: ['docs:build'],
    publish: ['docs/.vuepress/dist'],
    source: 'https://vuepress.vuejs.org/guide/deployment.html',
  },
  {
    name: 'Docusaurus',
    packages: ['@docusaurus/core'],
    kind: 'static',
    build: 'docusaurus build',
    publish: ['build'],
    caches: WEBPACK_CACHES,
    source: 'https://docusaurus.io/docs/deployment',
    verified: '3.10.2',
  },
  {
    name: 'Gatsby',
    packages: ['gatsby'],
    kind: 'static',
    build: 'gatsby build',
    publish: ['public'],
    // Gatsby's next build can use these two folders only together: https://www.gatsbyjs.com/docs/build-caching/
    caches: ['.cache', 'public'],
    source: 'https://www.gatsbyjs.com/docs/how-to/previews-deploys-hosting/',
  },
  {
    name: 'Hexo',
    packages: ['hexo'],
    kind: 'static',
    build: 'hexo generate',
    publish: ['public'],
    source: 'https://hexo.io/docs/generating',
  },
  ...['vite', 'webpack'].map(
    (bundler): Framework => ({
      name: `Quasar (${bundler})`,
      packages: ['quasar', `@quasar/app-${bundler}`],
      kind: 'static',
      build: 'quasar build',
      publish: ['dist/spa', 'dist/pwa'],
      spa: true,
      source: 'https://quasar.dev/quasar-cli-vite/developing-spa/deploying',
      ...(bundler === 'vite' && { verified: '2.4.1' }),
    }),
  ),
  {
    name: 'Ember',
    packages: ['ember-cli'],
    kind: 'static',
    build: 'ember build --environment=production',
    publish: ['dist'],
    spa: true,
    source: 'https://cli.emberjs.com/release/basic-use/deploying/',
  },
  {
    name: 'Angular (server rendering)',
    packages: ['@angular/core', '@angular/ssr'],
    when: { file: 'angular.json', says: /"outputMode"\s*:\s*"server"/ },
    kind: 'server',
    build: 'ng build',
    startScripts: ['serve:ssr:'],
    caches: ANGULAR_CACHES,
    source: 'https://angular.dev/guide/ssr',
  },
  {
    name: 'Angular',
    packages: ['@angular/core'],
    kind: 'static',
    build: 'ng build',
    publish: ['dist/*/browser', 'dist/browser', 'dist/*'],
    spa: true,
    caches: ANGULAR_CACHES,
    source: ANGULAR,
  },
  {
    name: 'Create React App',
    packages: ['react-scripts'],
    kind: 'static',
    build: 'react-scripts build',
    publish: ['build'],
    spa: true,
    caches: WEBPACK_CACHES,
    source: 'https://create-react-app.dev/docs/deployment/',
  },
  {
    name: 'Vue CLI',
    packages: ['@vue/cli-service'],
    kind: 'static',
    build: 'vue-cli-service build',
    publish: ['dist'],
    output: { file: 'vue.config.', says: /\boutputDir\s*:\s*['"`]([^'"`]+)['"`]/ },
    spa: true,
    caches: WEBPACK_CACHES,
    source: 'https://cli.vuejs.org/guide/deployment.html',
  },
  ...Object.entries({
    React: 'react',
    Vue: 'vue',
    Svelte: 'svelte',
    Solid: 'solid-js',
    Preact: 'preact',
  }).map(
    ([name, library]): Framework => ({
      name: `Vite with ${name}`,
      packages: ['vite', library],
      kind: 'static',
      build: 'vite build',
      publish: ['dist'],
      output: VITE_OUTPUT,
      spa: true,
      source: VITE,
      ...(library === 'react' && { verified: '7.3.8' }),
    }),
  ),
  {
    name: 'Parcel with React',
    packages: ['parcel', 'react'],
    kind: 'static',
    build: 'parcel build',
    publish: ['dist'],
    spa: true,
    caches: PARCEL_CACHES,
    source: 'https://parceljs.org/features/production/',
  },
  {
    name: 'Parcel',
    packages: ['parcel'],
    kind: 'static',
    build: 'parcel build',
    publish: ['dist'],
    caches: PARCEL_CACHES,
    source: 'https://parceljs.org/features/production/',
  },
  {
    name: 'Hono (@hono/node-server)',
    packages: ['hono', '@hono/node-server'],
    kind: 'server',
    source: 'https://hono.dev/docs/getting-started/nodejs',
    verified: '4.13.19',
  },
  {
    name: 'Nitro',
    packages: ['nitropack'],
    kind: 'server',
    build: 'nitropack build',
    start: NITRO,
    source: 'https://nitro.build/deploy/runtimes/node',
  },
  {
    name: 'Fastify',
    packages: ['fastify'],
    kind: 'server',
    source: 'https://fastify.dev/docs/latest/Guides/Getting-Started/',
  },
  {
    name: 'Express',
    packages: ['express'],
    kind: 'server',
    source: 'https://expressjs.com/en/starter/hello-world.html',
  },
  {
    name: 'Koa',
    packages: ['koa'],
    kind: 'server',
    source: 'https://koajs.com/',
  },
  {
    name: 'Vite',
    packages: ['vite'],
    kind: 'static',
    build: 'vite build',
    publish: ['dist'],
    output: VITE_OUTPUT,
    source: VITE,
  },
];

/** Facts by which a framework is recognised. */
export interface Traits {
  dependencies: ReadonlySet<string>;
  scripts: Readonly<Record<string, string>>;
  folders: ReadonlySet<string>;
  texts: Readonly<Record<string, string>>;
}

export function frameworkOf(traits: Traits): Framework | undefined {
  const row = FRAMEWORKS.find(
    ({ packages, when }) => packages.every((name) => traits.dependencies.has(name)) && fits(when, traits),
  );
  return row && withNxOutput(withOutput(row, traits.texts), traits.texts['project.json']);
}

/** Adds the output folder that the framework's settings name, ahead of the framework's usual output folders. */
function withOutput(row: Framework, texts: Traits['texts']): Framework {
  const { output, publish = [] } = row;
  if (!output) return row;
  const named = Object.entries(texts)
    .filter(([name]) => name.startsWith(output.file))
    .map(([, text]) => folderName(output.says.exec(text)?.[1] ?? ''))
    .find(Boolean);
  return named === undefined ? row : { ...row, publish: [named, ...publish] };
}

/**
 * Replaces `{output}` by the output folder of an Nx project. Nx builds into `dist/<name>` unless the project says
 * otherwise.
 */
function withNxOutput(row: Framework, project: string | undefined): Framework {
  if (project === undefined) return row;
  const [, path = ''] = /"outputPath"\s*:\s*"((?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*)"/.exec(project) ?? [];
  const [, name = ''] = /"name"\s*:\s*"(?:@[\w.-]+\/)?([\w@-][\w.@-]*)"/.exec(project) ?? [];
  const output = path || (name ? `dist/${name}` : 'dist');
  const fill = (text: string) => text.replaceAll('{output}', output);
  return {
    ...row,
    ...(row.start !== undefined && { start: fill(row.start) }),
    ...(row.publish && { publish: row.publish.map(fill) }),
  };
}

function fits(when: Framework['when'], { scripts, folders, texts }: Traits): boolean {
  if (!when) return true;
  if ('script' in when)
    return Object.values({ build: scripts.build }).some((one) => one && when.script.test(one));
  if ('folder' in when) return folders.has(when.folder);
  return Object.entries(texts).some(([name, text]) => name.startsWith(when.file) && when.says.test(text));
}
