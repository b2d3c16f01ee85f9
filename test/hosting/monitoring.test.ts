import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { newApplication } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { newServerGroup } from '../support/server-group.ts';
import { until } from '../support/until.ts';

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
const NAME = /\b(?:simcha|http|process|nodejs)_[a-z0-9_]+\b/g;

test('metrics count sites, their requests and deployments; dashboard, alerts and docs name metrics that exist', async () => {
  await using repository = await createRepository({ 'index.html': '<p>here</p>' });
  await using group = await newServerGroup();
  const server = await group.start(
    { APPS_GIT_PROTOCOLS: 'file' },
    { hostingTimes: { figures: { writeMs: 50 } } },
  );
  const app = await newApplication(server.call, server.url, repository.address);
  await app.deploy();
  for (const path of ['/', '/', '/missing']) await app.visit(path);
  const metrics = async () => (await server.call('GET', '/metrics')).text;
  const site = app.host.split('.')[0];
  const counted = (status: string, count: number) =>
    `simcha_site_requests_total{site="${site}",class="${status}"} ${count}\n`;
  await until(async () => {
    const text = await metrics();
    return text.includes(counted('2xx', 2)) && text.includes(counted('4xx', 1));
  });
  const text = await metrics();
  for (const line of [
    `simcha_site_requests_total{site="${site}",class="4xx"} 1`,
    `simcha_site_up{site="${site}"} 1`,
    'simcha_sites{state="live"} 1',
    'simcha_deployments{result="live"} 1',
    'simcha_deployments_unfinished{status="queued"} 0',
    'simcha_deployments_oldest_waiting_seconds 0',
    'simcha_mails_oldest_due_seconds 0',
  ])
    assert.ok(text.includes(`${line}\n`), `${line}\n${text.match(/^simcha_.*$/gm)?.join('\n')}`);
  for (const pattern of [
    /^simcha_lease_seconds [1-9]/m,
    /^simcha_deployment_seconds\{quantile="0\.5"\} \d/m,
    /^simcha_disk_bytes\{part="free"\} [1-9]/m,
    /^simcha_database_connections\{state="idle"\} \d/m,
  ])
    assert.match(text, pattern);

  const known = new Set([...text.matchAll(/^# HELP (\S+)/gm)].map(([, name = '']) => name));
  const exists = (name: string) => known.has(name) || known.has(name.replace(/_(?:bucket|count|sum)$/, ''));
  for (const path of ['monitoring/dashboard.json', 'monitoring/alerts.yml', 'operations.md']) {
    const named = new Set(read(path).match(NAME) ?? []);
    assert.ok(
      [...named].some((name) => name.startsWith('simcha_')),
      path,
    );
    const missing = [...named].filter(
      (name) => !exists(name) && (name.startsWith('simcha_') || path !== 'operations.md'),
    );
    assert.deepEqual(missing, [], path);
  }
  const documented = new Set(read('operations.md').match(NAME) ?? []);
  assert.deepEqual(
    [...known].filter((name) => name.startsWith('simcha_') && !documented.has(name)),
    [],
  );
});
