import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platformPlanOf } from './platform-files.ts';

test('other platforms’ files say how a source is built, and where its files are', () => {
  const netlify = (text: string) => platformPlanOf({ 'netlify.toml': text });
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
  assert.deepEqual(platformPlanOf({ 'vercel.json': JSON.stringify(vercel) }), {
    build: { value: 'vite build', by: 'vercel.json' },
    publish: { value: 'out', by: 'vercel.json' },
  });
  for (const silent of ['{', '[]', '{"buildCommand":null}'])
    assert.deepEqual(platformPlanOf({ 'vercel.json': silent }), {});
});
