import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emptyOf } from '../../kernel/field-types.ts';
import { KASHRUT_LEVELS } from '../events/fields.ts';
import { factFields } from './fields.ts';
import { messages } from './messages.ts';
import {
  CHECKLIST_RULES,
  type Circumstances,
  dueDate,
  GRANTORS,
  ITEM_NAMES,
  itemsOf,
  reasonForEarlierDueDate,
} from './rules.ts';

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => Temporal.PlainDate.from(date.toISOString().slice(0, 10)));

test('an item is due on a day that offices work, at least so many days before the event and at most four more', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 120 }), (event, daysBefore) => {
      const due = dueDate(event, daysBefore);
      const ahead = due.until(event).days;
      assert.ok(ahead >= daysBefore && ahead <= daysBefore + 4, `${due} ${event}`);
      assert.ok(![5, 6].includes(due.dayOfWeek), due.toString());
      assert.equal(
        reasonForEarlierDueDate(event, daysBefore) !== undefined,
        ahead > daysBefore,
        'it says why, and only then',
      );
    }),
  );
  assert.equal(dueDate(Temporal.PlainDate.from('2027-06-15'), 0).toString(), '2027-06-15');
  assert.equal(
    dueDate(Temporal.PlainDate.from('2027-06-12'), 0).toString(),
    '2027-06-10',
    'from Shavuot and Shabbat back',
  );
  assert.equal(dueDate(Temporal.PlainDate.from('2027-06-19'), 0).toString(), '2027-06-17', 'from Shabbat');
  assert.equal(
    dueDate(Temporal.PlainDate.from('2027-10-11'), 0).toString(),
    '2027-10-07',
    'from Yom Kippur, whose eve is none either',
  );
});

test('a later event is never due earlier, nor a longer notice later', () => {
  fc.assert(
    fc.property(day, fc.nat(100), fc.nat(400), (event, daysBefore, more) => {
      const due = dueDate(event, daysBefore);
      assert.ok(Temporal.PlainDate.compare(dueDate(event.add({ days: more }), daysBefore), due) >= 0);
      assert.ok(Temporal.PlainDate.compare(dueDate(event, daysBefore + more), due) <= 0);
    }),
  );
});

const circumstances: fc.Arbitrary<Circumstances> = fc.record({
  outdoors: fc.boolean(),
  alcohol: fc.boolean(),
  amplified_music: fc.boolean(),
  temporary_structures: fc.boolean(),
  fire_effects: fc.boolean(),
  people: fc.nat(2000),
  venueCapacity: fc.option(fc.integer({ min: 1, max: 2000 }), { nil: null }),
  kashrutLevel: fc.constantFrom(...KASHRUT_LEVELS),
  curfew: fc.constantFrom('21:00', '23:00', '23:30', '01:00', '05:59', '06:00'),
});

test('more people never make the list shorter, but for a hall grown too small', () => {
  fc.assert(
    fc.property(circumstances, fc.nat(1000), (event, more) => {
      const after = itemsOf({ ...event, people: event.people + more });
      for (const item of itemsOf(event)) assert.ok(after.includes(item), item);
    }),
  );
});

test('a small, quiet celebration in a hall needs nothing; each fact brings what belongs to it', () => {
  const quiet: Circumstances = {
    ...emptyOf(factFields),
    people: 40,
    venueCapacity: 60,
    kashrutLevel: 'none',
    curfew: '23:00',
  };
  const items = (facts: Partial<Circumstances>) => itemsOf({ ...quiet, ...facts });
  assert.deepEqual(items({}), []);
  assert.deepEqual(items({ people: 99 }), ['capacity']);
  assert.deepEqual(items({ people: 100, venueCapacity: null }), [
    'venue_licence',
    'accessibility',
    'insurance',
  ]);
  assert.deepEqual(items({ people: 61 }), ['capacity']);
  assert.deepEqual(items({ kashrutLevel: 'mehadrin' }), ['kashrut_certificate']);
  assert.deepEqual(items({ alcohol: true }), ['alcohol']);
  assert.deepEqual(items({ curfew: '23:01' }), ['noise']);
  assert.deepEqual(items({ curfew: '01:00' }), ['noise']);
  assert.deepEqual(items({ curfew: '01:00', amplified_music: false }), []);
  assert.deepEqual(items({ outdoors: true }), ['noise', 'electricity']);
  assert.deepEqual(items({ fire_effects: true }), ['fire_safety', 'insurance']);
  assert.ok(items({ outdoors: true, people: 500 }).includes('temporary_event_licence'));
  assert.ok(!items({ outdoors: true, people: 499 }).includes('temporary_event_licence'));
  assert.ok(!items({ outdoors: true, people: 500 }).includes('venue_licence'));
});

test('every rule has its words', () => {
  for (const item of ITEM_NAMES) {
    assert.ok(messages.items[item].title && messages.items[item].why);
    assert.ok(GRANTORS.includes(CHECKLIST_RULES[item].grantedBy));
  }
});
