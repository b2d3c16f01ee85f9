import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateMark } from './unbuilt.ts';

test('templates of build tools are told from finished pages', () => {
  for (const [page, mark] of [
    ['<title><%= productName %></title>', '<%'],
    ['<link rel="icon" href="%PUBLIC_URL%/favicon.ico">', '%PUBLIC_URL%'],
    ['<link href="%VITE_HOME%">', '%VITE_HOME%'],
    ['<body>%sveltekit.body%</body>', '%sveltekit.body%'],
    ['<script type="module" src="/src/main.tsx"></script>', '/src/main.tsx'],
    ["<script src='./src/main.js' async type='module'></script>", './src/main.js'],
    ['<SCRIPT SRC=src/index.ts TYPE=module></SCRIPT>', 'src/index.ts'],
    ['<!DOCTYPE html><h1>Shalom</h1>', undefined],
    ['<script type="module" src="/assets/index-4f2.js"></script>', undefined],
    ['<script src="/src/plain.js"></script>', undefined],
    ['<script type="text/template"><li><%= name %></li></script>', undefined],
    ['<!-- <%= webpackConfig.name %> -->', undefined],
    ['<a href="/%D7%A9%D7%9C" style="width:100%;height:50%">100%</a>', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(templateMark(page), mark, page);
  }
});

test('a page of nothing but beginnings is read in no more time than it takes to look at each', () => {
  for (const part of ['<!--', '<script ', '<script>', '%A', '%A_', '<script type=module src=src/']) {
    templateMark(part.repeat(Math.ceil(1_000_000 / part.length)));
  }
});
