import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasContentHash } from './hashed.ts';

const hashed = (path: string) => hasContentHash(path.split('/'));

test('names that bundlers write tell their content', () => {
  for (const path of [
    // Vite, VitePress, Laravel with Vite
    'assets/index-B4xn_-2R.js',
    'assets/index-C7fGh2aK.css',
    'assets/vendor-react-Dk3pQz0a.js.map',
    'assets/logo-BqPz1m4x.svg',
    'assets/inter-Cx9dUqY1.woff2',
    'assets/guide_index.md.C1hq9zVt.lean.js',
    'assets/chunks/framework.DPfLlp7M.js',
    'build/assets/app-Cq3jXm0b.js',
    // webpack: Create React App, Vue CLI, Docusaurus, Gatsby
    'static/js/main.3f2c1a9b.js',
    'static/js/787.c1ad9f0e.chunk.js',
    'static/css/main.e6c13ad2.css',
    'static/media/logo.6ce24c58023cc2f8fd88fe9d219db6c6.svg',
    'static/media/logo.6ce24c58023cc2f8fd88.png',
    'js/chunk-vendors.7e1c0b4f.js',
    'assets/js/runtime~main.5b0e2f1a.js',
    'webpack-runtime-0d5b2a3cb8a1f0b7b0a1.js',
    'd3a1f0b7b0a1c9e84f21.js',
    // esbuild, Angular
    'main-5INURTSO.js',
    'chunk-7F3KQ2LM.js',
    'media/roboto-VNVZ63IH.woff2',
    // Parcel, Hugo, Ember, workbox
    'index.1f0a7c3e.css',
    'css/style.min.4ac55bc1bd0e41b1ba4d8f3e9a3c6bb8e4ad6e0a5ed3a1d4ab8d2ad0d6c1a9e3.css',
    'assets/vendor-1b2f1a5d3b0c2e7f9a8d6c4b3e2f1a0d.js',
    'workbox-1bbb3e0f.js',
    // Framework folders, also under a base path
    '_next/static/chunks/main-app.js',
    'docs/_next/static/aB3/_buildManifest.js',
    '_astro/hero.DqPz1mxK_Z1xYz.webp',
    '_app/immutable/entry/start.js',
    '_nuxt/entry.js',
    '_nuxt/builds/meta/0b1c2d3e-1111-2222-3333-444455556666.json',
  ])
    assert.equal(hashed(path), true, path);
});

test('names of people, dates and words do not', () => {
  for (const path of [
    '',
    'index.html',
    'app.js',
    'style.css',
    'assets/index.js',
    'assets/logo-original.png',
    'assets/jquery-3.7.1.min.js',
    'assets/main-carousel.js',
    'assets/App-HomePage.js',
    'assets/book-Chapter1.png',
    'assets/my-MyLib-v2.js',
    'assets/photo-DSC_0412.jpg',
    'assets/invitation-Q3Final2.pdf',
    'photos/IMG-20240115.jpg',
    'photos/20240115123456789012.jpg',
    'photos/550e8400-e29b-41d4-a716-446655440000.jpg',
    'photos/photo-1a2b3c4d.jpg',
    'js/bootstrap-datepicker.js',
    'js/defaced.js',
    'logo-ORIGINAL.png',
    'main-ORIGINAL.js',
    'bundle-12345678.js',
    'page-3f2c1a9b.html',
    'data.3f2c1a9b.json',
    'feed-3f2c1a9b.xml',
    'sw.js',
    'robots.txt',
    '_nuxt/builds/latest.json',
    '_next/data/x/index.json',
    '_app/version.json',
    'index-C7fGh2aK.js',
  ])
    assert.equal(hashed(path), false, path);
});
