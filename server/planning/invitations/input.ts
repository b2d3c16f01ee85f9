import { choice, FieldProblem, type Fields, fieldsOf, isBlank, text } from '../../kernel/fields.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { LENGTHS } from '../guests/fields.ts';
import { type GuestFilter, readFilter } from '../guests/input.ts';
import { KINDS, MOST_GUESTS_NAMED } from './contract.ts';
import { messages } from './messages.ts';

export interface NewRound {
  kind: (typeof KINDS)[number];
  message: string | null;
  /** Either is there, or both: then the guests named who match. */
  guestIds: string[] | undefined;
  filter: GuestFilter;
}

/** The round a body asks for. Whom it goes to has to be said: nobody mails everybody by an empty body. */
export function readNewRound(body: unknown): NewRound {
  const { kind, message, guest_ids, filter } = fieldsOf(body);
  if (guest_ids === undefined && filter === undefined) throw new Refusal(400, 'nobody', messages.nobody);
  return {
    kind: isBlank(kind) ? 'invitation' : choice('kind', kind, KINDS),
    message: isBlank(message) ? null : text('message', message, LENGTHS.message),
    guestIds: guest_ids === undefined ? undefined : idsOf(guest_ids),
    filter: readFilter(filter === undefined ? {} : filterOf(filter)),
  };
}

function filterOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FieldProblem('filter', { kind: 'object' });
  }
  return value as Fields;
}

function idsOf(value: unknown): string[] {
  const fits = Array.isArray(value) && value.length <= MOST_GUESTS_NAMED;
  if (!fits || !value.every((id) => typeof id === 'string' && isUuid(id))) {
    throw new FieldProblem('guest_ids', { kind: 'texts', most: MOST_GUESTS_NAMED, longest: 36 });
  }
  return [...new Set(value as string[])];
}
