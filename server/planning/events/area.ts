import type { onRequestAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { App, Server } from '../../kernel/http/app.ts';
import { type ErrorAnswers, type Errors, errorAnswersOf } from '../../kernel/http/error-answers.ts';
import { hebrew } from '../../kernel/http/messages.ts';
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
const always: Errors = { 401: true, 429: true, 500: true, 503: true };
const withBody: Errors = { 413: true, 415: true };

/** The error answers of routes whose errors are a sentence in Hebrew. */
export const hebrewErrors = errorAnswersOf(EventError, 'Hebrew', {
  400: { error: `שם האירוע (title): ${hebrew.complaint({ kind: 'missing' })}` },
  401: { error: problems.unauthorized },
  403: { error: messages.notYours },
  404: { error: messages.noSuchEvent },
  409: { error: problems.key_running },
  412: { error: problems.precondition_failed },
  413: { error: problems.too_large },
  415: { error: problems.wrong_content_type },
  422: { error: problems.key_reused },
  429: { error: problems.too_many_requests },
  500: { error: problems.unexpected },
  503: { error: problems.unavailable },
});

/** The error answers of a read, and of those given. */
export function readErrors(errors: Errors = {}): ErrorAnswers {
  return hebrewErrors({ ...always, ...errors });
}

/** Of a POST through `transactOnce`. */
export function postErrors(errors: Errors): ErrorAnswers {
  return hebrewErrors({ ...always, ...withBody, 409: true, 422: true, ...errors });
}

/** Of a PUT that honours If-Match. */
export function putErrors(errors: Errors): ErrorAnswers {
  return hebrewErrors({ ...always, ...withBody, 412: true, ...errors });
}

/** Of a DELETE that honours If-Match. */
export function deleteErrors(errors: Errors): ErrorAnswers {
  return hebrewErrors({ ...always, 400: true, 412: true, ...errors });
}

/** What reading something of an event may be refused with. */
export const ofReadableEvent: Errors = { 403: true, 404: true };

/** What changing something of an event may be refused with. */
export const ofWritableEvent: Errors = { 400: true, 403: true, 404: true };

export const organizerRoute = { security: [{ organizer: [] }] };
export const eventParam = Type.Object({
  id: Type.String({ description: 'A UUID; anything else is a 404.' }),
});

/** A route's `schema.headers`, of pieces such as `ifMatchHeader`. */
export function headersOf(headers: object) {
  return Type.Unsafe<Record<string, string | undefined>>({ type: 'object', properties: headers });
}
