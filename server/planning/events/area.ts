import type { onRequestAsyncHookHandler } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Complaint } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { complaints, problems } from '../../kernel/http/messages.ts';
import { errorResponses } from '../../kernel/http/schemas.ts';
import type { Words } from '../../kernel/languages.ts';
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
  const examples = Object.entries(sentences).map(([status, { he }]) => [status, { error: he }]);
  return errorResponses(errorBody, Object.fromEntries(examples));
}

type Examples = Readonly<Record<number, Words>>;

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

/** What is said of a field. */
export function exampleOf(field: string, complaint: Complaint): Words {
  const said = (language: keyof Words) => `${field}: ${complaints[language](complaint)}`;
  return { he: said('he'), ar: said('ar'), en: said('en') };
}

/** Of a DELETE that honours If-Match. */
export function deleteErrors(examples: Examples): Record<number, TSchema> {
  const notATag = exampleOf('If-Match', { kind: 'entity_tag' });
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

/** A shared schema by its `$id`. */
export function ref<T extends TObject>(schema: T) {
  return Type.Unsafe<Static<T>>({ $ref: `${(schema as { $id?: string }).$id}#` });
}

export const oneOf = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
export const orNull = <T>(schema: object) =>
  Type.Unsafe<T | null>({ ...schema, type: [(schema as { type: string }).type, 'null'] });

export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 20, description: 'Cut at 1000.' })),
};
