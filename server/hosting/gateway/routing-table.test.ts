import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RoutingTable } from './routing-table.ts';

const SHOP = 'www.shop.example';
const TARGETS = ['http://127.0.0.1:41001', 'http://127.0.0.1:41002'].map(
  (origin) => ({ kind: 'server', origin }) as const,
);

function newTable(): RoutingTable {
  const table = new RoutingTable();
  table.set('a', { routes: [{ host: 'a.localhost' }], state: 'live', targets: TARGETS });
  table.set('b', { routes: [{ host: 'b.localhost' }], state: 'stopped' });
  return table;
}

test('a custom domain leads to its site, before and after a switch', () => {
  const table = newTable();
  table.setDomains('a', [{ host: SHOP }]);
  assert.equal(table.find(SHOP)?.environmentId, 'a');
  table.set('a', { routes: [{ host: 'new.localhost' }], state: 'stopped' });
  assert.equal(table.find(SHOP)?.state, 'stopped');
  assert.equal(table.find('new.localhost')?.environmentId, 'a');
  assert.ok(!table.hasHost('a.localhost'));
});

test('a domain that moved to another site stays there when its former site lets it go', () => {
  const table = newTable();
  table.setDomains('a', [{ host: SHOP }]);
  table.setDomains('b', [{ host: SHOP }]);
  table.setDomains('a', []);
  assert.equal(table.find(SHOP)?.environmentId, 'b');
  table.remove('a');
  assert.equal(table.find(SHOP)?.environmentId, 'b');
  table.remove('b');
  assert.ok(!table.hasHost(SHOP));
});

test('a domain redirects to another until it shows the site again', () => {
  const table = newTable();
  table.setDomains('a', [
    { host: SHOP, redirectTo: 'shop.example' },
    { host: 'shop.example', redirectTo: null },
  ]);
  assert.equal(table.redirectOf(SHOP), 'shop.example');
  assert.equal(table.redirectOf('shop.example'), undefined);
  table.setDomains('a', [{ host: SHOP }]);
  assert.equal(table.redirectOf(SHOP), undefined);
});

test('a site without its last backend is returning', () => {
  const table = newTable();
  const [first, second] = table.find('a.localhost')?.backends ?? [];
  assert.ok(first && second);
  table.removeBackend('a.localhost', first);
  assert.deepEqual(table.find('a.localhost')?.backends, [second]);
  assert.equal(table.find('a.localhost')?.state, 'live');
  table.markLost(second.target);
  assert.ok(second.isLost);
  assert.equal(table.find('a.localhost')?.state, 'returning');
});

test('a lost target gets requests only if the site has no other, until it is reachable again', () => {
  const table = newTable();
  const [lost, other] = TARGETS;
  assert.ok(lost && other);
  const originsOf = () =>
    table.find('a.localhost')?.backends.map(({ target }) => target.kind === 'server' && target.origin);
  const setTargets = (targets: typeof TARGETS) =>
    table.set('a', { routes: [{ host: 'a.localhost' }], state: 'live', targets });
  table.markLost(lost);
  setTargets(TARGETS);
  assert.deepEqual(originsOf(), [other.origin]);
  setTargets([lost]);
  assert.deepEqual(originsOf(), [lost.origin]);
  table.markReachable(lost);
  setTargets(TARGETS);
  assert.deepEqual(originsOf(), [lost.origin, other.origin]);
});
