import { type Answered, readQuery, refuseUnknown } from '../../kernel/asks.ts';
import { FieldProblem, type Fields, fieldsOf } from '../../kernel/fields.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as takes from '../../kernel/takes.ts';
import { LENGTHS } from '../guests/fields.ts';
import { guestFilter } from '../guests/filter.ts';
import { messages } from './messages.ts';

export const KINDS = ['invitation', 'reminder'] as const;
const MOST_GUESTS_NAMED = 10_000;

const ids: takes.Takes<string[] | undefined> = {
  read(field, value) {
    const fits = Array.isArray(value) && value.length <= MOST_GUESTS_NAMED;
    if (!fits || !value.every((id) => typeof id === 'string' && isUuid(id))) {
      throw new FieldProblem(field, { kind: 'texts', most: MOST_GUESTS_NAMED, longest: 36 });
    }
    return [...new Set(value as string[])];
  },
  schema: { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: MOST_GUESTS_NAMED },
};

const filter: takes.Takes<Answered<typeof guestFilter>> = {
  read(field, value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new FieldProblem(field, { kind: 'object' });
    }
    refuseUnknown(Object.keys(guestFilter), value as Fields, `${field}.`);
    return readQuery(guestFilter, value as Fields, `${field}.`);
  },
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(guestFilter).map(([name, { schema }]) => [name, schema])),
    description: 'As in the list of guests; empty: all of them.',
  },
};

/** What a round is to be: to the guests named, to those who match, or, with both, to the named who match. */
export const roundFields = {
  kind: {
    takes: takes.orDefault(takes.oneOf(KINDS), 'invitation'),
    empty: 'invitation',
    label: { he: 'סוג המשלוח', ar: 'نوع الإرسال', en: 'Kind' },
  },
  guest_ids: { takes: ids, empty: undefined, label: { he: 'אורחים', ar: 'الضيوف', en: 'Guests' } },
  filter: {
    takes: filter,
    empty: readQuery(guestFilter, {}),
    label: { he: 'סינון', ar: 'التصفية', en: 'Filter' },
  },
  message: {
    takes: takes.orNull(takes.described(takes.text(LENGTHS.message), 'Your own words, in every mail.')),
    empty: null,
  },
} as const;
export type NewRound = takes.ValuesOf<typeof roundFields>;

/** The round a body asks for. Whom it goes to has to be said: nobody mails everybody by an empty body. */
export function readNewRound(body: unknown): NewRound {
  const fields = fieldsOf(body);
  if (fields.guest_ids === undefined && fields.filter === undefined) {
    throw new Refusal(400, 'nobody', messages.nobody);
  }
  return takes.readWhole(roundFields, fields);
}
