import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from 'simcha-client';
import {
  changedSettings,
  type SettingValues,
  settingsOf,
} from '../../web/src/features/site-settings/api/setting-values.ts';

const SITE = {
  name: 'The menu',
  subdomain: 'the-menu',
  repository: 'https://git.example.com/menu.git',
  branch: null,
  root: null,
  type: null,
  node: '24',
  install: null,
  build: null,
  start: null,
  publish: null,
  spa: null,
  port: 3000,
  health_path: '/',
  sticky: false,
  time_zone: 'Asia/Jerusalem',
  watch_paths: ['web/**'],
  response_seconds: 120,
  max_body_mb: null,
} as Application;

test('a form of settings sends those that changed, and null for an empty one', () => {
  const before = settingsOf(SITE);
  const sent = (values: Partial<SettingValues>) => changedSettings({ ...before, ...values }, before);
  assert.deepEqual(sent({}), {});
  for (const [values, changes] of [
    [{ branch: ' release ' }, { branch: 'release' }],
    [
      { node: '', port: '' },
      { node: null, port: null },
    ],
    [{ port: '8080' }, { port: 8080 }],
    [{ port: 'http' }, { port: 'http' }],
    [{ watch_paths: ' web/**\n\n!**/*.md ' }, { watch_paths: ['web/**', '!**/*.md'] }],
    [{ watch_paths: '' }, { watch_paths: null }],
    [
      { response_seconds: '', max_body_mb: '20' },
      { response_seconds: null, max_body_mb: 20 },
    ],
    [
      { type: 'static', spa: 'true' },
      { type: 'static', spa: true },
    ],
    [{ spa: 'false' }, { spa: false }],
    [
      { sticky: true, name: '' },
      { sticky: true, name: '' },
    ],
  ] as const)
    assert.deepEqual(sent(values), changes);
  const chosen = settingsOf({ ...SITE, type: 'server', spa: true });
  assert.deepEqual(changedSettings({ ...chosen, type: 'auto', spa: 'auto' }, chosen), {
    type: null,
    spa: null,
  });
});
