import type { onRequestAsyncHookHandler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { App, Server } from '../../kernel/http/app.ts';
import { hebrew } from '../../kernel/http/messages.ts';
import { errorResponses } from '../../kernel/http/schemas.ts';
import { messages } from './messages.ts';

/**
 * Serves routes of the organizer's face under `prefix`: the token first, then the database. Bodies and queries
 * reach the handlers as they came: each area judges them itself, in Hebrew and in its own order.
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
      area.setValidatorCompiler(() => (value) => ({ value }));
      serve(area);
    },
    { prefix },
  );
}

export const EventError = Type.Object(
  { error: Type.String({ description: 'A sentence in Hebrew.' }) },
  { $id: 'EventError' },
);

const { problems } = hebrew;
const errorBody = Type.Unsafe({ $ref: 'EventError#' });

const always = {
  401: problems.unauthorized,
  429: problems.too_many_requests,
  500: problems.unexpected,
  503: problems.unavailable,
};
const withBody = { 413: problems.too_large, 415: problems.wrong_content_type };

/** Error responses by status, each with the sentence it would carry. */
export function hebrewErrors(sentences: Examples): Record<number, TSchema> {
  const examples = Object.entries(sentences).map(([status, error]) => [status, { error }]);
  return errorResponses(errorBody, Object.fromEntries(examples));
}

type Examples = Readonly<Record<number, string>>;

/** The error responses of a read; `examples` adds to them or replaces their sentences. */
export function readErrors(examples: Examples = {}): Record<number, TSchema> {
  return hebrewErrors({ ...always, ...examples });
}

/** Of a POST through `once`. */
export function postErrors(examples: Examples): Record<number, TSchema> {
  const keys = { 409: problems.key_running, 422: problems.key_reused };
  return hebrewErrors({ ...always, ...withBody, ...keys, ...examples });
}

/** Of a PUT that honours If-Match. */
export function putErrors(examples: Examples): Record<number, TSchema> {
  return hebrewErrors({
    ...always,
    ...withBody,
    412: problems.precondition_failed,
    ...examples,
  });
}

/** Of a DELETE that honours If-Match. */
export function deleteErrors(examples: Examples): Record<number, TSchema> {
  const notATag = `If-Match: ${hebrew.complaint({ kind: 'entity_tag' })}`;
  return hebrewErrors({
    ...always,
    400: notATag,
    412: problems.precondition_failed,
    ...examples,
  });
}

/** What reading something of an event may be refused with. */
export const ofReadableEvent: Examples = { 403: messages.notYours, 404: messages.noSuchEvent };

/** What changing something of an event may be refused with. */
export const ofWritableEvent: Examples = {
  400: messages.cancelledIsFinal,
  403: messages.viewOnly,
  404: messages.noSuchEvent,
};

export const organizerRoute = { security: [{ organizer: [] }] };
export const eventParam = Type.Object({
  id: Type.String({ description: 'A UUID; anything else is a 404.' }),
});

/** A route's `schema.headers`, of pieces such as `ifMatchHeader`. */
export function headersOf(headers: object) {
  return Type.Unsafe<Record<string, string | undefined>>({ type: 'object', properties: headers });
}
