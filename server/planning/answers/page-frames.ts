import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { FieldType } from '../../kernel/field-types.ts';
import type { Fields } from '../../kernel/fields.ts';
import { queryOf } from '../../kernel/http/resource.ts';
import { LANGUAGE_NAMES, type LanguageName } from '../../kernel/languages.ts';
import { type Answered, oneOf, readWhatFits } from '../../kernel/query-types.ts';
import type { Invitation } from './store.ts';

const FORM_LIMIT = 64 * 1024;

/** `1`: what was said has been kept. */
const done: FieldType<boolean> = { read: (_name, value) => value === '1', schema: { type: 'string' } };
/** How many a yes asked for that was taken for fewer. */
const wanted: FieldType<number | undefined> = {
  read: (_name, value) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : undefined),
  schema: { type: 'integer' },
};
const pageAsks = { lang: oneOf(LANGUAGE_NAMES), saved: done, sent: done, confirm: done, wanted };

export type Asking = Pick<FastifyRequest, 'url'> & { query: Fields };

const ofGuest = Type.Object({ token: Type.String() });
const ofEvent = Type.Object({ slug: Type.String() });
const ofRequest = Type.Object({ slug: Type.String(), token: Type.String() });

/** The frames of pages and of what their forms send: of a guest's own link, and of an event's open one. */
export const [guestPages, guestForm] = [hidden(ofGuest), hiddenForm(ofGuest)];
export const [openPages, openForm] = [hidden(ofEvent), hiddenForm(ofEvent)];
export const [confirmPages, confirmForm] = [hidden(ofRequest), hiddenForm(ofRequest)];

function hidden<P extends TSchema>(params: P) {
  return { schema: { hide: true, params, querystring: queryOf(pageAsks, 'ignores others') } };
}

function hiddenForm<P extends TSchema>(params: P) {
  const { schema } = hidden(params);
  // A route's limit: fastify lets it go before that of a content type's parser.
  return { schema: { ...schema, body: Type.Unsafe<URLSearchParams>({}) }, bodyLimit: FORM_LIMIT };
}

/** There is nothing at this address, or not any more. */
export class NoPage extends Error {}

export function asked(query: Fields): Answered<typeof pageAsks> {
  return readWhatFits(pageAsks, query);
}

export function languageFor({ query }: Pick<Asking, 'query'>, { event, guest }: Invitation): LanguageName {
  return asked(query).lang ?? guest.language ?? event.language_pref;
}
