import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { FieldType } from '../../kernel/field-types.ts';
import type { Fields } from '../../kernel/fields.ts';
import { queryOf } from '../../kernel/http/resource.ts';
import { LANGUAGE_NAMES, type LanguageName } from '../../kernel/languages.ts';
import { oneOf, type QueryValues, readQueryLeniently } from '../../kernel/query-types.ts';
import type { GuestInvitation } from './store.ts';

const FORM_LIMIT = 64 * 1024;

/** Parameter in the address of a guest's page; it is `1` right after an answer or request was stored. */
const done: FieldType<boolean> = { read: (_name, value) => value === '1', schema: { type: 'string' } };
/**
 * Parameter in the address of a guest's page: the number of people that the guest requested, if the yes was recorded
 * for fewer.
 */
const wanted: FieldType<number | undefined> = {
  read: (_name, value) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : undefined),
  schema: { type: 'integer' },
};
const guestPageQuery = { lang: oneOf(LANGUAGE_NAMES), saved: done, sent: done, confirm: done, wanted };

export type PageRequest = Pick<FastifyRequest, 'url'> & { query: Fields };

const ofGuest = Type.Object({ token: Type.String() });
const ofEvent = Type.Object({ slug: Type.String() });
const ofRequest = Type.Object({ slug: Type.String(), token: Type.String() });

/** Options of the routes of guests' pages and forms: for personal links, and for an event's open link. */
export const [guestPages, guestForm] = [hidden(ofGuest), hiddenForm(ofGuest)];
export const [openPages, openForm] = [hidden(ofEvent), hiddenForm(ofEvent)];
export const [confirmPages, confirmForm] = [hidden(ofRequest), hiddenForm(ofRequest)];

function hidden<P extends TSchema>(params: P) {
  return { schema: { hide: true, params, querystring: queryOf(guestPageQuery, 'ignores others') } };
}

function hiddenForm<P extends TSchema>(params: P) {
  const { schema } = hidden(params);
  // The size limit of the form is set on the route, because Fastify prefers it to the limit of a content type parser.
  return { schema: { ...schema, body: Type.Unsafe<URLSearchParams>({}) }, bodyLimit: FORM_LIMIT };
}

/** Thrown for an address that has no page for guests. */
export class PageNotFound extends Error {}

export function readPageQuery(query: Fields): QueryValues<typeof guestPageQuery> {
  return readQueryLeniently(guestPageQuery, query);
}

export function languageFor(
  { query }: Pick<PageRequest, 'query'>,
  { event, guest }: GuestInvitation,
): LanguageName {
  return readPageQuery(query).lang ?? guest.language ?? event.language_pref;
}
