import { FieldProblem, type Fields } from '../../../kernel/fields.ts';
import { LARGEST_PARTY } from '../fields.ts';
import { peopleIn, type Texts, yesOrNoIn } from '../sheets/cells.ts';
import { COLUMNS, type Column, headingForm } from './headings.ts';
import type { SheetColumn } from './layout.ts';

/** What a row says of a guest. */
export interface SheetRecord {
  id: string | undefined;
  /** As a body of a request has it; what is empty is absent, so that it changes nothing. */
  fields: Fields;
  /** What the fields have no place for, to stand in the note. */
  addenda: string[];
}

interface Filled {
  heading: string;
  text: string;
}

type Given = ReadonlyMap<Column, readonly Filled[]>;

export function recordOf(columns: readonly SheetColumn[], cells: readonly string[]): SheetRecord {
  const given = givenIn(columns, cells);
  const read: Partial<Record<Column, unknown>> = {};
  const addenda: string[] = [];
  for (const [column, filled] of given) {
    const { cell } = COLUMNS[column];
    const texts = filled.map(({ text }) => text) as unknown as Texts;
    const value = cell.read(column, texts);
    if (value !== undefined) read[column] = value;
    for (const [index, rest] of ('rest' in cell ? (cell.rest?.(texts) ?? []) : []).entries()) {
      if (rest) addenda.push(labelled(filled[index]?.heading, rest));
    }
  }
  const { id, labels, ...fields } = read;
  const name = nameIn(given);
  const tags = [read.tags, labels, tablesIn(given)].flatMap((some) => (some as string[]) ?? []);
  const company = partnerOf(given.get('partner'));
  addenda.push(...company.addenda);
  const size = read.party_size ?? sizeOf(given) ?? company.size;
  return {
    id: id as string | undefined,
    // Of the parts of a name or of a party nobody reads the field.
    fields: {
      ...fields,
      ...(name && { name }),
      ...(tags.length > 0 && { tags }),
      ...(size !== undefined && { party_size: size }),
      // Who says how many come says that they do.
      ...(Number(read.coming) > 0 && read.rsvp_status === undefined && { rsvp_status: 'confirmed' }),
    },
    addenda,
  };
}

/** The guest’s name, whatever else the row says. */
export function nameOf(columns: readonly SheetColumn[], cells: readonly string[]): string {
  return nameIn(givenIn(columns, cells));
}

/** Whether a row is the headings once more, as on each page of a printed list. */
export function isHeadingsAgain(columns: readonly SheetColumn[], cells: readonly string[]): boolean {
  const names = columns.flatMap(({ field, heading }, index) =>
    field === 'name' || field === 'first_name' ? [[heading, cells[index] ?? ''] as const] : [],
  );
  return (
    names.some(([heading]) => heading !== '') &&
    names.every(([heading, text]) => headingForm(heading) === headingForm(text))
  );
}

/** The columns that have something in this row. A dash says that there is nothing. */
function givenIn(columns: readonly SheetColumn[], cells: readonly string[]): Given {
  const given = new Map<Column, Filled[]>();
  for (const [index, { field, heading }] of columns.entries()) {
    const text = (cells[index] ?? '').trim();
    if (!field || /^[-–—־_]*$/.test(text)) continue;
    given.set(field, [...(given.get(field) ?? []), { heading, text }]);
  }
  return given;
}

function nameIn(given: Given): string {
  const text = (column: Column) => given.get(column)?.[0]?.text;
  const [name, first, last] = [text('name'), text('first_name'), text('last_name')];
  const parts = [first, text('middle_name'), last].filter((part) => part !== undefined).join(' ');
  if (name === undefined) return parts;
  // The first name often stands under “name”.
  return last !== undefined && first === undefined && !name.includes(last) ? `${name} ${last}` : name;
}

/** Of those who are counted apart, all together; undefined where nobody is. */
function sizeOf(given: Given): number | undefined {
  const counted = (['adults', 'children'] as const).flatMap((column) =>
    (given.get(column) ?? []).map(({ text }) => {
      const number = peopleIn(text);
      if (number === undefined)
        throw new FieldProblem(column, { kind: 'integer', least: 0, most: LARGEST_PARTY });
      return number;
    }),
  );
  return counted.reduce((all, number) => all + number, 0) || undefined;
}

/** Somebody who comes along is one more; their name goes into the note. */
function partnerOf(filled: readonly Filled[] = []): { size?: number; addenda: string[] } {
  const [partner] = filled;
  if (!partner) return { addenda: [] };
  const comes = yesOrNoIn(partner.text);
  if (comes === undefined) return { size: 2, addenda: [labelled(partner.heading, partner.text)] };
  return { ...(comes && { size: 2 }), addenda: [] };
}

/** A number alone would say nothing as a tag. */
function tablesIn(given: Given): string[] {
  return (given.get('table') ?? []).map(({ heading, text }) =>
    /^\d+$/.test(text) ? `${heading || COLUMNS.table.headings.hebrew[0]} ${text}` : text,
  );
}

function labelled(heading: string | undefined, text: string): string {
  return heading ? `${heading}: ${text}` : text;
}
