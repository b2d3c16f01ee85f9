import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platformPlanOf } from './platform-files.ts';

test('other platforms’ files say how a source is built, and where its files are', () => {
  const planned = (texts: Record<string, string>) => {
    const { passedOver, ...plan } = platformPlanOf(texts);
    return plan;
  };
  const netlify = (text: string) => planned({ 'netlify.toml': text });
  assert.deepEqual(netlify('[build]\ncommand = " npm run docs "\npublish = "/site/"'), {
    build: { value: 'npm run docs', by: 'netlify.toml' },
    publish: { value: 'site', by: 'netlify.toml' },
  });
  assert.deepEqual(netlify('[build]\nbase = "/"\npublish = "."').publish?.value, '');
  for (const silent of [
    '',
    '[build',
    'build = 3',
    '[build]\nbase = "web"\npublish = "dist"',
    '[build]\npublish = "../x"\ncommand = ""',
    '[build]\ncommand = "hugo -b $DEPLOY_PRIME_URL"',
    '[build]\ncommand = "netlify build"',
    '[build]\npublish = 3\ncommand = ["a"]',
  ]) {
    assert.deepEqual(netlify(silent), {}, silent);
  }
  const vercel = { buildCommand: 'vite build', outputDirectory: 'out' };
  assert.deepEqual(planned({ 'vercel.json': JSON.stringify(vercel) }), {
    build: { value: 'vite build', by: 'vercel.json' },
    publish: { value: 'out', by: 'vercel.json' },
  });
  for (const silent of ['{', '[]', '{"buildCommand":null}'])
    assert.deepEqual(planned({ 'vercel.json': silent }), {});
});

test('lines of other platforms’ files that do not hold here are named', () => {
  const over = (text: string) => platformPlanOf({ 'netlify.toml': text }).passedOver;
  for (const [text, value] of [
    ['[build]\nbase = "web"\npublish = "dist"', 'base: web'],
    ['[build]\ncommand = "netlify build"', 'build: netlify build'],
    ['[build]\npublish = "../x"', 'publish: ../x'],
  ] as const) {
    assert.deepEqual(over(text), [{ value, by: 'netlify.toml' }]);
  }
  assert.deepEqual(over('[build]\ncommand = "make"\npublish = "dist"'), []);
  assert.deepEqual(over('[[redirects]]\nfrom = "/a"'), []);
});
