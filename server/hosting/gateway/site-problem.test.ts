import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backend } from './backend.ts';
import type { SiteProblem } from './messages.ts';
import type { Site, SiteState } from './routing-table.ts';
import { problemOfSite } from './site-problem.ts';

const BACKEND = new Backend({ kind: 'server', origin: 'http://127.0.0.1:41001' });

const CASES: readonly [
  state: SiteState,
  withBackend: SiteProblem | undefined,
  withoutBackend: SiteProblem | undefined,
][] = [
  ['live', undefined, 'site_down'],
  ['starting', undefined, 'site_starting'],
  ['returning', undefined, 'site_starting'],
  ['asleep', undefined, 'site_starting'],
  ['elsewhere', 'site_elsewhere', 'site_elsewhere'],
  ['unhosted', 'site_elsewhere', 'site_elsewhere'],
  ['stopped', 'site_stopped', 'site_stopped'],
  ['down', 'site_down', 'site_down'],
];

for (const [state, withBackend, withoutBackend] of CASES) {
  test(`requests to a site in the state ${state}`, () => {
    const site: Site = {
      environmentId: 'e',
      state,
      backends: [],
      sticky: false,
      isPreview: false,
      turn: 0,
    };
    assert.equal(problemOfSite({ ...site, backends: [BACKEND] }, true), withBackend);
    assert.equal(problemOfSite(site, true), withoutBackend);
  });
}

test('an unknown site does not exist once the table is complete', () => {
  assert.equal(problemOfSite(undefined, true), 'no_such_site');
  assert.equal(problemOfSite(undefined, false), 'site_starting');
});
