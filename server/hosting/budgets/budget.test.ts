import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ApplicationUse, type Budget, excessOf, RESOURCES, totalOf } from './budget.ts';

const use = (name: string, replicas: number, disk_mb = 0): ApplicationUse => ({
  application_uuid: name,
  name,
  applications: 1,
  replicas,
  memory_mb: replicas * 512,
  processes: replicas * 500,
  disk_mb,
});
const NO_LIMIT: Budget = { applications: 0, replicas: 0, memory_mb: 0, processes: 0, disk_mb: 0 };

test('a change over the budget names the resource, and how much of it how many applications use now', () => {
  const before = [use('blog', 1), use('idle', 0), use('shop', 3)];
  const budget = { ...NO_LIMIT, memory_mb: 2560 };
  assert.equal(excessOf(budget, before, [use('blog', 2), use('shop', 3)]), undefined);
  assert.deepEqual(excessOf(budget, before, [use('blog', 3), use('shop', 3)]), {
    resource: 'memory_mb',
    most: 2560,
    after: 3072,
    used: 2048,
    applications: 2,
  });
  assert.equal(
    excessOf({ ...budget, applications: 3 }, before, [...before, use('new', 0)])?.resource,
    'applications',
  );
});

test('no change is refused that uses no more than before, and each that is refused is over the budget', () => {
  const uses = fc.array(fc.tuple(fc.nat(30), fc.nat(9_000)), { maxLength: 6 });
  const amounts = fc.record(
    Object.fromEntries(RESOURCES.map((resource) => [resource, fc.nat(20_000)])) as Record<
      (typeof RESOURCES)[number],
      fc.Arbitrary<number>
    >,
  );
  const named = (all: [number, number][]) =>
    all.map(([replicas, disk], n) => use(`app-${n}`, replicas, disk));
  fc.assert(
    fc.property(uses, uses, amounts, (one, other, budget) => {
      const [before, after] = [named(one), named(other)];
      const [had, has] = [totalOf(before), totalOf(after)];
      const excess = excessOf(budget, before, after);
      const over = RESOURCES.filter(
        (one) => budget[one] > 0 && has[one] > budget[one] && has[one] > had[one],
      );
      assert.equal(excess?.resource, over[0]);
    }),
  );
});
