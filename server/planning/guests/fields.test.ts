import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSchemaAgrees,
  type Description,
  type Rule,
  TEXT_RULES,
} from '../../../test/support/schema-agreement.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { toSingleLine } from '../../kernel/one-line.ts';
import { UNANSWERED } from './capacity/allocation.ts';
import { createGuestSchema, type Guest, updateGuestSchema } from './contract.ts';
import { guestRows } from './export/cells.ts';
import { ANSWERS, DIETS, guestFields, NO_DETAILS, sheetFields } from './fields.ts';
import { readGuestChanges, readNewGuest } from './input.ts';

const MEMBERS = [
  [{}],
  [{ name: 'נועם', meal: 'vegan', child: true }],
  [{ id: 'a', coming: false }],
  [{ age: 3 }],
  [{ meal: 1 }],
];
const LONG_OR_ODD: Rule = (_field, value) => /[\ud800-\udfff]/.test(JSON.stringify(value));
const described = {
  rules: {
    ...TEXT_RULES,
    phone: (field) => /^(phone$|other_phones\[)/.test(field),
    email: (field) => /^(email$|other_emails\[)/.test(field),
    texts: LONG_OR_ODD,
    /** A yes needs at least one person, and only a yes can have a number of people. */
    integer: (field, value, { party_size = 1, coming }) =>
      (field === 'coming' && value === 0) ||
      (field === 'party_children' && Number(value) > Number(party_size)) ||
      (field === 'coming_children' && Number(value) > Number(coming ?? party_size)),
    own: (field) =>
      /^(coming|coming_children|over_limit|maybe|members.*)$/.test(field) ||
      DIETS.some((diet) => diet === field),
  },
  /** Duplicate and invisible tags are left out. */
  meant: (body) =>
    Array.isArray(body.tags) && body.tags.every((tag) => typeof tag === 'string')
      ? {
          ...body,
          tags: [...new Map(body.tags.map((tag) => [toSingleLine(tag), tag.trim()])).entries()].flatMap(
            ([seen, tag]) => (seen ? [tag] : []),
          ),
        }
      : body,
  telling: [
    'נועה',
    'Dana ',
    '050-123-4567',
    501234567,
    'dana@example.com',
    'hebrew',
    'mehadrin',
    ...ANSWERS,
    ...MEMBERS,
  ],
} satisfies Partial<Description>;

test('what fits the schema of a new guest is refused by a named rule alone, and what does not is refused', () => {
  assertSchemaAgrees({
    ...described,
    schema: createGuestSchema.body,
    read: readNewGuest,
    always: { name: 'נועה' },
  });
});

test('what fits the schema of a guest’s change is refused by a named rule alone, and what does not is refused', () => {
  assertSchemaAgrees({
    ...described,
    schema: updateGuestSchema.body,
    read: (body) => readGuestChanges(body, { ...NO_DETAILS, ...UNANSWERED }),
  });
});

test('a phone number from abroad looks like no formula', () => {
  for (const [phone, cell] of [
    ['+19175550123', '001 917 555 0123'],
    ['+442079460958', '0044 20 7946 0958'],
    ['+972501234567', '050-123-4567'],
  ] as const) {
    assert.equal(guestFields.phone.cell.write(phone, 'hebrew'), cell);
    assert.equal(guestFields.phone.type.read('phone', cell), phone);
  }
});

test('what an export writes of a guest, an import reads back', () => {
  const guest: Guest = {
    ...NO_DETAILS,
    id: '',
    event_id: '',
    created_at: '',
    updated_at: '',
    answered_at: null,
    answered_via: null,
    name: 'משפחת כהן',
    phone: '+972501234567',
    other_phones: ['+97235551234', '+19175550123'],
    email: 'cohen@example.com',
    other_emails: ['dana@example.com'],
    tags: ['צד הכלה', 'עבודה'],
    party_size: 4,
    party_children: 2,
    mehadrin: 4,
    vegetarian: 1,
    allergies: 'אגוזים',
    note: 'שולחן 3',
    language: 'arabic',
    rsvp_status: 'confirmed',
    coming: 3,
    coming_children: 1,
    maybe: false,
    waiting_since: null,
  };
  for (const language of LANGUAGE_NAMES) {
    const [cells = []] = guestRows(guest, { language, rows: 'guests', questions: [] });
    const read = Object.entries(sheetFields).flatMap(([field, { cell }], index) =>
      cells[index] ? [[field, cell.read(field, [cells[index]])]] : [],
    );
    const { details, answer } = readNewGuest(Object.fromEntries(read));
    for (const field of Object.keys(guestFields) as (keyof typeof guestFields)[]) {
      assert.deepEqual(details[field], guest[field], field);
    }
    assert.deepEqual(answer, { rsvp_status: 'confirmed', coming: 3, coming_children: 1 });
  }
});
