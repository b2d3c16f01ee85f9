import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { FieldProblem } from '../../kernel/fields.ts';
import { createGuestSchema, type Guest, updateGuestSchema } from './contract.ts';
import { cellsOf } from './export/cells.ts';
import {
  detailFields,
  guestFields,
  LARGEST_PARTY,
  NO_DETAILS,
  RSVP_STATUSES,
  sheetFields,
} from './fields.ts';
import { readGuestChanges, readNewGuest } from './input.ts';
import { UNANSWERED } from './places/standing.ts';

/** What a schema can't say: these refuse some of what fits it. */
const RULES = {
  /** The name is not blank. */
  missing: (field: string) => field === 'name',
  phone: (field: string) => field === 'phone',
  email: (field: string) => field === 'email',
  /** PostgreSQL keeps no NUL and no half of a surrogate pair. */
  characters: () => true,
  /** JSON Schema counts letters, we count UTF-16 units. */
  too_long: (_field: string, value: unknown) => /[\ud800-\udfff]/.test(JSON.stringify(value)),
  texts: (_field: string, value: unknown) => /[\ud800-\udfff]/.test(JSON.stringify(value)),
  /** A yes is somebody coming, and only a yes says how many. */
  integer: (field: string, value: unknown) => field === 'coming' && value === 0,
  own: (field: string) => field === 'coming',
} as const;

/** As bodies are read: texts are trimmed, a blank one empties, blank and repeated tags are left out. */
function tidy(body: Record<string, unknown>, isText: (field: string) => boolean): Record<string, unknown> {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : value);
  const entries = Object.entries(body).map(([field, value]) => {
    if (field === 'tags' && Array.isArray(value)) {
      return [field, [...new Set(value.map(text).filter((tag) => tag !== ''))]];
    }
    const tidied = isText(field) ? text(value) : value;
    return [field, tidied === '' && field !== 'name' && isText(field) ? null : tidied];
  });
  return Object.fromEntries(entries);
}

const value = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 600 }) },
  { weight: 2, arbitrary: fc.integer({ min: -2, max: LARGEST_PARTY + 2 }) },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 2, arbitrary: fc.array(fc.string({ maxLength: 60 }), { maxLength: 25 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        null,
        '',
        ' ',
        'נועה',
        'Dana ',
        '050-123-4567',
        501234567,
        'dana@example.com',
        'hebrew',
        'mehadrin',
      ],
      ...RSVP_STATUSES,
    ),
  },
);
const bodies = fc.dictionary(fc.constantFrom(...detailFields, 'rsvp_status', 'coming'), value, {
  maxKeys: 4,
  noNullPrototype: true,
});

for (const [what, schema, read] of [
  ['a new guest', createGuestSchema.body, (body: unknown) => readNewGuest(body)],
  ['a change of a guest', updateGuestSchema.body, (body: unknown) => readGuestChanges(body, UNANSWERED)],
] as const) {
  test(`what fits the schema of ${what} is refused by a named rule alone, and what does not fit is refused`, () => {
    const { properties } = schema as unknown as { properties: Record<string, { type: string | string[] }> };
    const isText = (field: string) => [properties[field]?.type].flat().includes('string');
    const checks = new Map(Object.entries(properties).map(([field, one]) => [field, Compile(one)]));
    const fits = (body: Record<string, unknown>) =>
      Object.entries(body).every(([field, one]) => checks.get(field)?.Check(one)) &&
      (what !== 'a new guest' || 'name' in body);
    fc.assert(
      fc.property(bodies, (given) => {
        const body = { ...(what === 'a new guest' && { name: 'נועה' }), ...given };
        const fitting = fits(tidy(body, isText));
        try {
          read(body);
          assert.ok(fitting, 'it does not fit, and was taken');
        } catch (error) {
          if (!(error instanceof FieldProblem)) throw error;
          if (!fitting) return;
          const { field, complaint } = error;
          const rule = RULES[complaint.kind as keyof typeof RULES];
          assert.ok(
            rule?.(field, (body as Record<string, unknown>)[field]),
            `refused by no rule: ${error.message}`,
          );
        }
      }),
      { numRuns: 3_000 },
    );
  });
}

test('what an export writes of a guest, an import reads back', () => {
  const guest: Guest = {
    ...NO_DETAILS,
    ...{ id: '', event_id: '', created_at: '', updated_at: '', answered_at: null, answered_via: null },
    ...{ name: 'משפחת כהן', phone: '+972501234567', email: 'cohen@example.com', tags: ['צד הכלה', 'עבודה'] },
    ...{ party_size: 4, kashrut_level: 'mehadrin', vegetarian: true, allergies: 'אגוזים', note: 'שולחן 3' },
    ...{ language: 'arabic', rsvp_status: 'confirmed', coming: 3, waiting_since: null },
  };
  for (const language of ['hebrew', 'english'] as const) {
    const cells = cellsOf(guest, language);
    const read = Object.entries(sheetFields).flatMap(([field, { cell }], index) =>
      cells[index] ? [[field, cell.read(field, cells[index], [])]] : [],
    );
    const { details, wish } = readNewGuest(Object.fromEntries(read));
    for (const field of Object.keys(guestFields) as (keyof typeof guestFields)[]) {
      assert.deepEqual(details[field], guest[field], field);
    }
    assert.deepEqual(wish, { rsvp_status: 'confirmed', coming: 3 });
  }
});
