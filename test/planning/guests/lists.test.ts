import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { GuestList } from '../../../server/planning/guests/import/guest-list.ts';
import { groupRows } from '../../../server/planning/guests/import/households.ts';
import type { Person } from '../../../server/planning/guests/import/person.ts';
import {
  type LeftRow,
  type ReadRow,
  readRows,
  type TagSource,
} from '../../../server/planning/guests/import/read.ts';
import { odsWorkbook, type Sheet, xlsxWorkbook } from './files.ts';

// Guest lists as people have them, in lists/, each with the guests that have to come out of it.

/** Guest of a list: the values that the list gives. */
interface Expected {
  name?: string;
  phone?: string;
  other_phones?: string[];
  email?: string;
  other_emails?: string[];
  party_size?: number;
  party_children?: number;
  tags?: string[];
  note?: string;
  allergies?: string;
  status?: string;
  coming?: number;
  /** People of the party, in lists with a row for each. */
  persons?: readonly Person[];
  /** True for a family of which the list says no number. */
  is_uncounted?: boolean;
  /** Field for which the row is refused. */
  refused?: string;
}

interface Fixture {
  about: string;
  format: 'csv' | 'xlsx' | 'ods' | 'vcf';
  text?: string;
  sheets?: Sheet[];
  tags_from?: TagSource[];
  guests: Expected[];
  /** Sheets that are left out, with the reason. */
  left_lists?: Record<string, string>;
  left_rows?: [because: string, text: string][];
}

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simcha-lists-'));
});
after(() => rm(folder, { recursive: true }));

for (const file of globSync(join(import.meta.dirname, 'lists/*.json')).sort()) {
  test(`every guest of the list ${basename(file, '.json')} is read`, async () => {
    const fixture = JSON.parse(await readFile(file, 'utf8')) as Fixture;
    const path = join(folder, basename(file, '.json'));
    await writeFile(path, await contentsOf(fixture));
    const lists: GuestList[] = [];
    const rows: ReadRow[] = [];
    const left: LeftRow[] = [];
    for await (const part of readRows(path, { mapping: {}, tagsFrom: fixture.tags_from })) {
      if ('lists' in part) lists.push(...part.lists);
      else if ('rows' in part) rows.push(...part.rows);
      else left.push(...part.left);
    }
    assert.deepEqual(groupRows(rows).map(guestIn), fixture.guests);
    assert.deepEqual(
      left.map(({ because, text }) => [because, text]),
      fixture.left_rows ?? [],
    );
    assert.deepEqual(
      Object.fromEntries(lists.flatMap(({ sheet, left: because }) => (because ? [[sheet, because]] : []))),
      fixture.left_lists ?? {},
    );
  });
}

async function contentsOf({ format, text = '', sheets = [] }: Fixture): Promise<string | Buffer> {
  if (format === 'xlsx') return xlsxWorkbook(sheets);
  return format === 'ods' ? odsWorkbook(sheets) : text;
}

function guestIn({ guest }: ReadRow): Expected {
  if (!('details' in guest)) return { refused: guest.field };
  const { details, rsvp, addenda, placeTags = [], isUncounted } = guest;
  const tags = [...(details.tags ?? []), ...placeTags];
  const note = [details.note, ...addenda].filter((line) => line != null).join('\n');
  const values = {
    name: details.name,
    phone: details.phone,
    other_phones: details.other_phones,
    email: details.email,
    other_emails: details.other_emails,
    party_size: details.party_size,
    party_children: details.party_children || undefined,
    tags: tags.length > 0 ? tags : undefined,
    note: note || undefined,
    allergies: details.allergies,
    status: rsvp.status,
    coming: rsvp.coming,
    persons: guest.persons,
    is_uncounted: isUncounted,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as Expected;
}
