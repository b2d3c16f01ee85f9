import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { campaign } from '../../../../test/support/campaign.ts';
import { LANGUAGE_NAMES } from '../../../kernel/languages.ts';
import { toSingleLine } from '../../../kernel/one-line.ts';
import type { GuestQuestion } from '../../questions/answers.ts';
import type { Guest } from '../contract.ts';
import { type guestFields, NO_DETAILS } from '../fields.ts';
import { readRows } from '../import/read.ts';
import { csvFile } from '../sheets/write-csv.ts';
import { xlsxFile } from '../sheets/write-xlsx.ts';
import { columnLooks, exportHeadings, guestRows } from './cells.ts';

const odd = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...',;|"\'\n\r\t=+-@_x07:*0א שמספר＝－\u202e\u200b'), maxLength: 16 }),
    fc.constantFrom('=1+1', "'=1", "''-", '-', '_x0007_', '\u0007', 'אין', '3+1', 'שם', '::: * a', 'name'),
  )
  .map((text) => text.replaceAll('\0', '').toWellFormed().trim());
const filled = odd.map((text) => text || 'אורח');
const line = odd.map((text) => toSingleLine(text) || 'אורח');
const orNone = odd.map((text) => text || null);

const guests: fc.Arbitrary<Guest[]> = fc.array(
  fc
    .record({
      id: fc.uuid(),
      name: line,
      tags: fc.uniqueArray(line, { maxLength: 4 }),
      party_size: fc.integer({ min: 1, max: 4 }),
      party_children: fc.integer({ min: 0, max: 1 }),
      max_plus_ones: fc.option(fc.nat(9)),
      answers: fc.record({ side: fc.constant('a'), name: filled }, { requiredKeys: [] }),
      vegetarian: fc.nat(2),
      childrens_meals: fc.nat(2),
      allergies: orNone,
      message: orNone,
      note: orNone,
      language: fc.option(fc.constantFrom(...LANGUAGE_NAMES)),
      rsvp_status: fc.constantFrom('confirmed', 'pending', 'declined'),
    })
    .map((fields) => ({
      ...NO_DETAILS,
      event_id: '',
      created_at: '',
      updated_at: '',
      answered_at: null,
      answered_via: null,
      coming: fields.rsvp_status === 'confirmed' ? 2 : 0,
      coming_children: 0,
      maybe: false,
      waiting_since: null,
      ...(fields as Pick<Guest, 'name' | 'rsvp_status'> & { id: string }),
    })),
  { minLength: 1, maxLength: 8 },
);

/** Questions with the names of guest fields: an import must not mix them up. */
const questions: GuestQuestion[] = [
  {
    id: 'side',
    kind: 'choice',
    text: { hebrew: 'צד', english: 'Side' },
    most: null,
    asked: true,
    options: [{ id: 'a', text: { hebrew: 'הכלה' } }],
  },
  { id: 'name', kind: 'text', text: { hebrew: 'שם' }, options: [], most: null, asked: false },
];

test('a list that is exported is read as the same guests, whatever is in them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-export-'));
  const path = join(folder, 'file');
  try {
    await fc.assert(
      fc.asyncProperty(
        guests,
        fc.constantFrom(...LANGUAGE_NAMES),
        fc.boolean(),
        async (list, language, isSheet) => {
          const exported = { language, rows: 'guests' as const, questions };
          const rows = async function* () {
            yield exportHeadings(exported);
            for (const guest of list) yield* guestRows(guest, exported);
          };
          if (isSheet) {
            const file = xlsxFile(rows(), { name: 'x', rightToLeft: true, columns: columnLooks(exported) });
            await pipeline(file, (source) => writeFile(path, source));
          } else await writeFile(path, (await Array.fromAsync(csvFile(rows()))).join(''));
          const read = await Array.fromAsync(readRows(path, { mapping: {}, keepsNames: true }));
          for (const { row, guest } of read.flatMap((part) => ('rows' in part ? part.rows : []))) {
            const of = list[row - 2];
            assert.ok(of && 'details' in guest, JSON.stringify(guest));
            assert.deepEqual([guest.id, guest.rsvp.status, guest.addenda], [of.id, of.rsvp_status, []]);
            for (const [field, value] of Object.entries(guest.details)) {
              assert.deepEqual(value, of[field as keyof typeof guestFields], field);
            }
          }
        },
      ),
      { numRuns: campaign(150, 4_000) },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
