import assert from 'node:assert/strict';
import { test } from 'node:test';
import { developmentIn } from './development.ts';

test('what is a development server alone is told from what serves people', () => {
  for (const script of [
    'eleventy --serve',
    'npx @11ty/eleventy --serve --quiet',
    'vite',
    'vite --host --port 8080',
    'vite dev',
    'vite preview --host',
    'vitepress dev docs',
    'nest start',
    'nest start --watch',
    'next dev --turbopack',
    'nuxt dev',
    'astro dev',
    'react-scripts start',
    'cross-env PORT=3000 BROWSER=none react-scripts start',
    'ng serve',
    'nodemon --exec ts-node src/index.ts',
    'nodemon server.js',
    'parcel src/index.html',
    'webpack serve --open --config webpack.config.dev.js',
    './node_modules/.bin/webpack-dev-server',
    'gatsby develop',
    'docusaurus start',
    'vue-cli-service serve',
    'NODE_ENV=development vite',
    'npm run clean && vite',
    'tsx watch src/index.ts',
    'node --watch server.js',
    'vinxi dev',
    'wrangler dev',
  ]) {
    const isLeft = script.startsWith('nodemon --exec');
    assert.equal(developmentIn(script) !== undefined, !isLeft, script);
  }
  for (const script of [
    'next start',
    'nuxt start',
    'node server.js',
    'node build',
    'node dist/main',
    'nest build && node dist/main',
    'vite build && node server.js',
    'react-router-serve ./build/server/index.js',
    'serve -s build',
    'http-server dist',
    'tsx src/index.ts',
    'node .output/server/index.mjs',
    'npm run build && node server.js',
    'vinxi start',
    'strapi start',
    'fastify start -l info app.js',
    'constructor',
    '',
  ]) {
    assert.equal(developmentIn(script, { build: 'vite build' }), undefined, script);
  }
});

test('a script is followed to what it runs, also in a circle', () => {
  const scripts = { dev: 'vite', start: 'npm run dev', serve: 'yarn serve', all: 'pnpm dev --open' };
  assert.equal(developmentIn(scripts.start, scripts)?.tool, 'vite');
  assert.equal(developmentIn(scripts.all, scripts)?.tool, 'vite');
  assert.equal(developmentIn(scripts.serve, scripts), undefined);
});

test('a watcher is left out of what it starts', () => {
  assert.equal(developmentIn('nodemon server.js')?.instead, 'node server.js');
  assert.equal(developmentIn('node --watch server.js --quiet')?.instead, 'node server.js --quiet');
  assert.equal(developmentIn('tsx watch src/index.ts')?.instead, 'tsx src/index.ts');
  assert.equal(developmentIn('vite')?.instead, undefined);
});
