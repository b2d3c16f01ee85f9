import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { scopesOfOperation } from '../../identity/access-tokens/operations.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { type Errors, errorAnswersOf, errorFields, exampleError } from '../../kernel/http/error-answers.ts';
import { complaintTexts, httpProblems } from '../../kernel/http/messages.ts';
import { createFrames, type Operation, recordAnswer, schemaName } from '../../kernel/http/resource.ts';
import { enumSchema, schemaRef } from '../../kernel/http/shapes.ts';
import { type Language, preferredLanguage } from '../../kernel/languages.ts';
import { idempotencyHeader } from '../../kernel/writes/idempotency.ts';
import { etagHeader, ifMatchHeader } from '../../kernel/writes/preconditions.ts';
import { eventFields } from './fields.ts';
import { messages } from './messages.ts';

/**
 * Serves organizers' routes under `prefix`. The token is checked first, then the database's health. Bodies and queries
 * reach the handlers unvalidated: each area checks them itself, with errors in Hebrew and in its own order.
 */
export function serveArea(
  { app, requireDatabase }: Server,
  authenticate: onRequestAsyncHookHandler,
  prefix: string,
  serve: (area: App) => void,
): void {
  app.register(
    async (area: App) => {
      area.addHook('onRequest', authenticate);
      area.addHook('onRequest', requireDatabase);
      serve(area);
    },
    { prefix },
  );
}

/** Language of the texts in a response: Hebrew unless `Accept-Language` prefers Arabic or English. */
export function responseLanguageOf({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  return preferredLanguage(headers['accept-language'], 'he');
}

export const EventError = Type.Object(
  {
    error: Type.String({ description: 'A sentence in Hebrew.' }),
    ...errorFields,
    code: Type.Optional(
      Type.String({
        description:
          'The same for machines. `/api/events` and `/api/events/{id}` themselves leave it and `field` out for callers whose `Accept-Language` names none of the three languages.',
      }),
    ),
  },
  { $id: 'EventError' },
);

const exampleMessage = (language: Language) =>
  `${eventFields.title.label[language]} (title): ${complaintTexts[language]({ kind: 'missing' })}`;

/** Error responses of routes whose error text is one sentence, in Hebrew only. */
export const hebrewErrors = errorAnswersOf(EventError, 'Hebrew', {
  400: exampleError(
    'invalid_field',
    { he: exampleMessage('he'), ar: exampleMessage('ar'), en: exampleMessage('en') },
    'he',
    'title',
  ),
  401: exampleError('unauthorized', httpProblems.unauthorized, 'he'),
  403: exampleError('forbidden', messages.notYours, 'he'),
  404: exampleError('not_found', messages.noSuchEvent, 'he'),
  409: exampleError('key_running', httpProblems.key_running, 'he'),
  412: exampleError('precondition_failed', httpProblems.precondition_failed, 'he'),
  413: exampleError('too_large', httpProblems.too_large, 'he'),
  415: exampleError('wrong_content_type', httpProblems.wrong_content_type, 'he'),
  422: exampleError('key_reused', httpProblems.key_reused, 'he'),
  429: exampleError('too_many_requests', httpProblems.too_many_requests, 'he'),
  500: exampleError('unexpected', httpProblems.unexpected, 'he'),
  503: exampleError('unavailable', httpProblems.unavailable, 'he'),
});

/** Error responses that every route of an event can give. */
export const eventErrors: Errors = { 403: true, 404: true };

/**
 * Descriptions of organizers' routes, by HTTP method: a POST takes an idempotency key; a PUT and a DELETE check the
 * version.
 */
export const organizerFrames = createFrames({
  scopes: scopesOfOperation,
  security: [{ organizer: [] }, { apiKey: [] }, { session: [] }],
  describe: hebrewErrors,
  errors: {
    any: { 401: true, 403: true, 429: true, 500: true, 503: true },
    post: { 400: true, 409: true, 413: true, 415: true, 422: true },
    put: { 400: true, 412: true, 413: true, 415: true },
    delete: { 400: true, 412: true },
  },
  headers: { post: idempotencyHeader, put: ifMatchHeader, delete: ifMatchHeader },
});

/**
 * Schema of a response with a record and its version: the body has the record under its key, the ETag header has the
 * version.
 */
export function versionedAnswer<R extends TObject, const K extends string>(record: R, key: K) {
  return (description: string) => recordAnswer(record, key, description, etagHeader);
}

/** Schema of a warning: a likely mistake of the organizer, named by one of `codes`. */
export function warningOf<const C extends string, const I extends string>(
  $id: I,
  codes: readonly C[],
  description: string,
) {
  return Type.Object(
    {
      code: enumSchema(codes, { description }),
      message: Type.String({
        description: 'The same for people: in Hebrew, or as `Accept-Language` prefers.',
      }),
    },
    { $id },
  );
}

export function warningsAs<W extends TObject>(warning: W) {
  return Type.Array(schemaRef(warning), { description: 'Empty when all is well.' });
}

/**
 * Schema of the response after a record was saved: the body has the record and its warnings, the ETag header has the
 * version.
 */
export function savedAnswer<R extends TObject, const K extends string, W extends TObject>(
  record: R,
  key: K,
  warning: W,
) {
  const parts = { [key]: schemaRef(record), warnings: warningsAs(warning) };
  return (description: string) => ({
    ...Type.Object(parts, { title: `Saved${schemaName(record)}`, description }),
    headers: etagHeader,
  });
}

/** Schema of a response whose record has no version, and so no ETag. */
export function unversionedAnswer<R extends TObject, const K extends string>(record: R, key: K) {
  return (description: string) => recordAnswer(record, key, description);
}

export const eventParam = Type.Object({
  id: Type.String({ description: 'A UUID; anything else is a 404.' }),
});

/** Descriptions of routes for an event as a whole: its budget, its counts, its checklist. */
export function eventFrames(tags: string[]) {
  const about = <W extends Operation>(words: W) => ({
    tags,
    ...words,
    params: eventParam,
    errors: { ...eventErrors, ...words.errors },
  });
  type Read = Operation & { querystring?: TSchema };
  type Write = Operation & { body?: TSchema; querystring?: TSchema };
  return {
    get: <W extends Read, S extends TSchema>(words: W, answer: S) =>
      organizerFrames.get({ ...about(words), response: { 200: answer } }),
    post: <W extends Write, S extends TSchema>(words: W, answer: S) =>
      organizerFrames.post({ ...about(words), response: { 200: answer } }),
    put: <W extends Write, S extends TSchema>(words: W, answer: S) =>
      organizerFrames.put({ ...about(words), response: { 200: answer } }),
  };
}

/**
 * Descriptions of routes for an event, or for one of its collections (guests, bookings); `params` are the path
 * parameters of a single record.
 */
export function eventRecordFrames<P extends TSchema, R extends TObject, const K extends string>(
  { tags, key, params, record }: { tags: string[]; key: K; params: P; record: R },
  shown = versionedAnswer(record, key),
) {
  const called = key.replaceAll('_', '-');
  return organizerFrames.resource({
    tags,
    called,
    within: eventParam,
    params,
    record,
    errors: eventErrors,
    shown,
  });
}

/** Path parameters of a route for one record (guest, booking and so on) of an event. */
export function eventRecordParams<const K extends string>(
  name: K,
  description = 'A UUID; anything else is a 404.',
) {
  return Type.Unsafe<{ id: string } & { [key in K]: string }>({
    type: 'object',
    required: ['id', name],
    properties: {
      id: { type: 'string', description: 'The event.' },
      [name]: { type: 'string', description },
    },
  });
}
