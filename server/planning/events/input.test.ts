import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  assertSchemaAgrees,
  decimalsRule,
  ruleForFields,
  TEXT_RULES,
} from '../../../test/support/schema-agreement.ts';
import { FieldProblem, type Fields, isBlank } from '../../kernel/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { createEventSchema, updateEventSchema } from './contract.ts';
import { dismissesChecklist, readChanges, readNewEvent } from './input.ts';
import { EVENT_STATUSES } from './lifecycle.ts';

const NOW = Temporal.Instant.from('2026-11-21T08:00:00Z');
const BODY = { title: 'חתונה', event_date: '2027-06-15T19:30', venue_name: 'עדן' };
const FALSY = [undefined, null, 0, false, ''];

const problemOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof FieldProblem) return `${error.field}:${error.complaint.kind}`;
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'none';
};
const creating = (fields: object) => problemOf(() => readNewEvent({ ...BODY, ...fields }, NOW));
const changing = (fields: object, status: (typeof EVENT_STATUSES)[number] = 'draft') =>
  problemOf(() => readChanges(fields, status, NOW));

test('the checks of a new event run in the contract’s order', () => {
  const steps: [object, string][] = [
    [{ title: ' ' }, 'title:missing'],
    [{ event_date: '' }, 'event_date:missing'],
    [{ venue_name: null }, 'venue_name:missing'],
    [{ event_date: 'soon' }, 'event_date:date_time'],
    [{ event_date: '2020-01-01T10:00' }, 'event_date:past'],
    [{ kashrut_level: 'glatt' }, 'kashrut_level:choice'],
    [{ language_pref: 'french' }, 'language_pref:choice'],
    [{ max_guests: 'many' }, 'max_guests:integer'],
  ];
  // Each mistake is combined with all later ones that can occur beside it: the earliest is reported.
  steps.forEach(([mistake, expected], index) => {
    const later = Object.assign({}, ...steps.slice(index + 1).map(([fields]) => fields));
    assert.equal(creating({ ...later, ...mistake }), expected);
  });
});

test('what is falsy on creation takes its default', () => {
  for (const none of FALSY) {
    const event = readNewEvent(
      {
        ...BODY,
        venue_address: none,
        description: none,
        max_guests: none,
        venue_capacity: none,
        kashrut_level: none,
        noise_curfew_time: none,
        language_pref: none,
        budget: none,
        compliance_dismissed: none,
        max_plus_ones_buffer: none,
        retention_policy_days: none,
      },
      NOW,
    );
    assert.deepEqual(event, {
      ...BODY,
      event_date: '2027-06-15T16:30:00.000Z',
      venue_address: null,
      description: null,
      max_guests: null,
      venue_capacity: null,
      kashrut_level: 'none',
      noise_curfew_time: '23:00',
      language_pref: 'hebrew',
      budget: null,
      compliance_dismissed: false,
      max_plus_ones_buffer: none === 0 ? 0 : 30,
      retention_policy_days: none === 0 ? 0 : 365,
    });
  }
});

test('a dismissal is kept only of a checklist there is', () => {
  const kept = (fields: object) => readNewEvent({ ...BODY, ...fields }, NOW).compliance_dismissed;
  for (const truthy of [true, 1, 'yes', {}]) {
    assert.equal(kept({ compliance_dismissed: truthy, max_guests: 100 }), true);
    assert.equal(kept({ compliance_dismissed: truthy, max_guests: 99 }), false);
    assert.equal(kept({ compliance_dismissed: truthy }), false);
    assert.equal(dismissesChecklist({ compliance_dismissed: truthy }), true);
  }
});

test('wrong types and ranges are refused on creation and on change, whatever the field', () => {
  const wrong: Record<string, unknown[]> = {
    title: [5, true, {}, ['x'], 'a'.repeat(301), 'a\0b', '\udfff'],
    venue_name: [5, {}, 'a'.repeat(301)],
    venue_address: [5, {}, 'a'.repeat(501), 'a\0'],
    description: [5, [], 'a'.repeat(10_001)],
    max_guests: ['150', -1, 1.5, 2 ** 31, {}],
    venue_capacity: ['150', -1, 1.5, 2 ** 31, []],
    max_plus_ones_buffer: [-1, 1.5, 2 ** 31, 'ten', true],
    noise_curfew_time: ['25:99', 23, '23:00:00'],
    budget: ['100', -1, 10.001, 1e10],
    event_date: [5, '2027-02-31T10:00', true],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      assert.ok(
        creating({ [field]: value }).startsWith(`${field}:`),
        `create ${field} ${String(value).slice(0, 20)}`,
      );
      assert.ok(
        changing({ [field]: value }).startsWith(`${field}:`),
        `change ${field} ${String(value).slice(0, 20)}`,
      );
    }
  }
  assert.equal(creating({ max_plus_ones_buffer: '5' }), 'max_plus_ones_buffer:integer');
});

test('a change keeps what it does not give, and a 0 only of the buffer', () => {
  for (const none of [...FALSY, '   ']) {
    const fields = Object.fromEntries(
      ['title', 'event_date', 'venue_name', 'venue_address', 'description', 'max_guests', 'venue_capacity']
        .concat(['kashrut_level', 'noise_curfew_time', 'language_pref', 'budget', 'status'])
        .map((field) => [field, none]),
    );
    assert.deepEqual(readChanges(fields, 'draft', NOW), {});
    assert.deepEqual(
      readChanges({ max_plus_ones_buffer: none }, 'draft', NOW),
      none === 0 ? { max_plus_ones_buffer: 0 } : {},
    );
  }
  assert.deepEqual(readChanges({ max_plus_ones_buffer: ' 7 ' }, 'draft', NOW), { max_plus_ones_buffer: 7 });
  assert.deepEqual(readChanges({ max_plus_ones_buffer: '0' }, 'draft', NOW), {});
});

test('a change never touches retention, dismissal, owner or anything unknown', () => {
  const fields = {
    retention_policy_days: 5,
    compliance_dismissed: true,
    organizer_id: 'x',
    id: 'y',
    deleted_at: 1,
  };
  assert.deepEqual(readChanges(fields, 'draft', NOW), {});
});

test('an unknown kashrut or language passes on a change, for the database to refuse', () => {
  assert.deepEqual(readChanges({ kashrut_level: ' glatt ', language_pref: 5 }, 'draft', NOW), {
    kashrut_level: 'glatt',
    language_pref: '5',
  });
});

test('of a cancelled event nothing is looked at', () => {
  fc.assert(
    fc.property(fc.anything(), (body) => {
      assert.equal(
        problemOf(() => readChanges(body, 'cancelled', NOW)),
        'cancelled',
      );
    }),
  );
});

test('the status of a change is judged before its date, and its date before the rest', () => {
  assert.equal(changing({ status: 'gone', event_date: 'soon' }), 'unknown_status');
  assert.equal(changing({ status: 'completed', event_date: 'soon' }), 'disallowed_status');
  assert.equal(changing({ status: 'published', event_date: 'soon', title: 5 }), 'event_date:date_time');
  assert.equal(changing({ title: 5, event_date: '2020-01-01T10:00' }), 'event_date:past');
});

test('a past date passes only with a status that ends the event', () => {
  const event_date = '2020-01-01T10:00';
  assert.equal(changing({ event_date, status: 'cancelled' }), 'none');
  assert.equal(changing({ event_date, status: 'completed' }, 'published'), 'none');
  assert.equal(changing({ event_date, status: 'published' }), 'event_date:past');
  assert.equal(changing({ event_date }), 'event_date:past');
  assert.equal(changing({ event_date: NOW.toString() }), 'none');
});

test('any body at all is read or refused, never worse', () => {
  const field = fc.oneof(
    fc.anything(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('draft', '2027-06-15T19:30'),
  );
  const names = [
    ...Object.keys(BODY),
    'max_guests',
    'budget',
    'status',
    'kashrut_level',
    'max_plus_ones_buffer',
  ];
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names), field),
      fc.constantFrom(...EVENT_STATUSES),
      (body, status) => {
        problemOf(() => readNewEvent(body, NOW));
        problemOf(() => readNewEvent({ ...BODY, ...body }, NOW));
        problemOf(() => readChanges(body, status, NOW));
      },
    ),
    { numRuns: 1000 },
  );
});

/** Applies the contract's rule: values that count as not given are equal to null. */
const given = (isNot: (value: unknown) => boolean) => (body: Fields) =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => {
      if (field === 'compliance_dismissed') return [field, Boolean(value)];
      const isZero = value === 0 && ['max_plus_ones_buffer', 'retention_policy_days'].includes(field);
      return [field, isNot(value) && !isZero ? null : value];
    }),
  );
const telling = [
  'חתונה',
  'Dana ',
  '2027-06-15T19:30',
  '2020-01-01T10:00',
  '23:00',
  ' 22:15',
  ' 7 ',
  '0',
  '9999999999',
  'hebrew',
  'mehadrin',
  'draft',
  'published',
  'completed',
  2 ** 31,
  0.25,
  10.001,
  'a'.repeat(501),
];
const RULES = {
  ...TEXT_RULES,
  date_time: ruleForFields('event_date'),
  past: ruleForFields('event_date'),
  amount: decimalsRule,
};

test('what fits the schema of a new event is refused by a named rule alone, and what does not is refused', () => {
  assertSchemaAgrees({
    schema: createEventSchema.body,
    read: (body) => readNewEvent(body, NOW),
    rules: RULES,
    meant: given((value) => !value),
    blankCounts: true,
    telling,
    always: BODY,
  });
});

test('what fits the schema of an event’s change is refused by a named rule alone, and what does not is refused', () => {
  assertSchemaAgrees({
    schema: updateEventSchema.body,
    read: (body) => readChanges(body, 'draft', NOW),
    rules: {
      ...RULES,
      /** Status: besides being a known value, the change from the current one must be allowed. */
      disallowed_status: ruleForFields('status'),
      /** Digits beyond the largest integer. */
      integer: (field, value) => field === 'max_plus_ones_buffer' && typeof value === 'string',
    },
    // The database checks these values: the contract requires a 500.
    meant: (body) => ({
      ...given(isBlank)(body),
      ...('kashrut_level' in body && { kashrut_level: null }),
      ...('language_pref' in body && { language_pref: null }),
    }),
    telling,
  });
});
