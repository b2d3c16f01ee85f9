import type { onRequestAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { App, Server } from '../../kernel/http/app.ts';
import {
  besideError,
  type ErrorAnswers,
  type Errors,
  errorAnswersOf,
  exampleError,
} from '../../kernel/http/error-answers.ts';
import { complaints, problems } from '../../kernel/http/messages.ts';
import type { Language } from '../../kernel/languages.ts';
import { fieldLabels, messages } from './messages.ts';

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
  {
    error: Type.String({ description: 'A sentence in Hebrew.' }),
    ...besideError,
    code: Type.Optional(
      Type.String({
        description:
          'The same for machines. `/api/events` and `/api/events/{id}` themselves leave it and `field` out for callers whose `Accept-Language` names none of the three languages.',
      }),
    ),
  },
  { $id: 'EventError' },
);

const always: Errors = { 401: true, 429: true, 500: true, 503: true };
const withBody: Errors = { 413: true, 415: true };

const said = (language: Language) =>
  `${fieldLabels.title?.[language]} (title): ${complaints[language]({ kind: 'missing' })}`;

/** The error answers of routes whose errors are a sentence in Hebrew. */
export const hebrewErrors = errorAnswersOf(EventError, 'Hebrew', {
  400: exampleError('invalid_field', { he: said('he'), ar: said('ar'), en: said('en') }, 'he', 'title'),
  401: exampleError('unauthorized', problems.unauthorized, 'he'),
  403: exampleError('forbidden', messages.notYours, 'he'),
  404: exampleError('not_found', messages.noSuchEvent, 'he'),
  409: exampleError('key_running', problems.key_running, 'he'),
  412: exampleError('precondition_failed', problems.precondition_failed, 'he'),
  413: exampleError('too_large', problems.too_large, 'he'),
  415: exampleError('wrong_content_type', problems.wrong_content_type, 'he'),
  422: exampleError('key_reused', problems.key_reused, 'he'),
  429: exampleError('too_many_requests', problems.too_many_requests, 'he'),
  500: exampleError('unexpected', problems.unexpected, 'he'),
  503: exampleError('unavailable', problems.unavailable, 'he'),
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
