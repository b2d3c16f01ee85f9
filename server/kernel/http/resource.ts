import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { pageQuery } from '../paging.ts';
import type { ErrorAnswers, Errors } from './error-answers.ts';
import { ref } from './shapes.ts';

/**
 * The frames of routes: what all routes of a side have in common, and what reading, listing, making, changing and
 * removing one kind of thing look like. A contract says only what is particular.
 */
export interface Manner {
  security: { [scheme: string]: string[] }[];
  describe(errors: Errors): ErrorAnswers;
  /** What any route can answer, what one with a body can, and what each method can. */
  errors: { any: Errors; body?: Errors } & { [M in Method]?: Errors };
  /** Request headers that routes of a method honour. */
  headers?: { [M in Method]?: object };
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What is said of an operation. */
export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  /** Of the answer of success, where the frame's own does not do. */
  answer?: string;
  /** What it can answer besides what all of its kind can. */
  errors?: Errors;
  /** Where a contract has it so, or a stranger may append to the address: a query that nobody reads is passed over. */
  anyQuery?: true;
}

interface Route {
  tags: string[];
  operationId: string;
  summary: string;
  description?: string;
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
  response: object;
  errors?: Errors;
  anyQuery?: true;
}

type Framed<R extends Route> = Omit<R, 'errors' | 'anyQuery'> & {
  security: Manner['security'];
  errors: ErrorAnswers;
};

/** Of `queryOf`: what is asked by, and whether anything else is passed over. */
export interface QuerySchema {
  properties: object;
  additionalProperties: boolean;
}

/** Whether a query with a name that is not asked by is refused. */
export function refusesOthers(query: object | undefined): query is QuerySchema {
  return (query as Partial<QuerySchema> | undefined)?.additionalProperties === false;
}

/** What a query gives: text as it came, in a list where it came twice. */
export type QueryValue = string | string[];

/** A route's `schema.querystring`, of a table that `readQuery` reads it by. It types what comes. */
export function queryOf<T extends Described>(
  table: T,
  others: 'refuses others' | 'ignores others' = 'refuses others',
) {
  const properties = Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, schema]));
  const additionalProperties = others === 'ignores others';
  return Type.Unsafe<{ [K in keyof T]?: QueryValue }>({ type: 'object', properties, additionalProperties });
}

type Described = Readonly<Record<string, { schema: object }>>;

/** A route's `schema.headers`, of pieces such as `ifMatchHeader`; none of them has to be there. */
export function headersOf(headers: object) {
  return Type.Unsafe<Record<string, string | undefined>>({ type: 'object', properties: headers });
}

/** The answer that is one thing, under its key. */
export function recordAnswer<R extends TObject, const K extends string>(
  record: R,
  key: K,
  description: string,
  headers?: object,
) {
  return Type.Unsafe<{ [key in K]: Static<R> }>({
    title: `${schemaName(record)}Answer`,
    type: 'object',
    required: [key],
    properties: { [key]: ref(record) },
    description,
    ...(headers && { headers }),
  });
}

/** The answer that is all there are of one kind. */
export function listAnswer<R extends TObject, const K extends string>(
  record: R,
  key: K,
  description: string,
) {
  return Type.Unsafe<{ [key in K]: Static<R>[] }>({
    title: `${schemaName(record)}List`,
    type: 'object',
    required: [key],
    properties: { [key]: Type.Array(ref(record)) },
    description,
  });
}

/** The answer that is a page of them. */
export function pageAnswer<R extends TObject, const K extends string>(
  record: R,
  key: K,
  description: string,
) {
  return Type.Unsafe<{ [key in K]: Static<R>[] } & { total: number; page: number; limit: number }>({
    title: `${schemaName(record)}Page`,
    type: 'object',
    required: [key, 'total', 'page', 'limit'],
    properties: {
      [key]: Type.Array(ref(record)),
      total: Type.Integer({ description: 'How many there are in all.' }),
      page: Type.Integer(),
      limit: Type.Integer(),
    },
    description,
  });
}

/** Where things stand that belong to nothing: the path names nothing. */
export const noParameters = Type.Object({});

/** A body or an answer, with the name it goes by in the description. */
export function namedSchema<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, title: name };
}

/** The frames of a side's routes. */
export function createFrames({ security, describe, errors, headers }: Manner) {
  const route =
    (method: Method) =>
    <R extends Route>({ anyQuery, ...schema }: R): Framed<R> => {
      // Of what asks by nothing, nothing is passed over: who sends `dry_run` there would believe in it.
      const querystring = schema.querystring ?? (anyQuery ? undefined : queryOf({}));
      const framed = {
        security,
        ...schema,
        ...(querystring && { querystring }),
        ...(headers?.[method] && { headers: headersOf(headers[method]) }),
        errors: describe({
          ...errors.any,
          ...(schema.body && errors.body),
          ...(refusesOthers(querystring) && { 400: true }),
          ...errors[method],
          ...schema.errors,
        }),
      };
      return framed as Framed<R>;
    };
  const get = route('get');
  const post = route('post');
  const put = route('put');
  const patch = route('patch');
  const remove = route('delete');

  /**
   * The routes of one kind of thing, `called` so. `params` names one of them, `within` what they belong to; `errors` is
   * what any of the routes can answer; `shown` is how one is shown.
   */
  function resource<P extends TSchema, W extends TSchema, R extends TObject, S extends TSchema>(of: {
    tags: string[];
    called: string;
    within: W;
    params: P;
    record: R;
    errors: Errors;
    shown(description: string): S;
  }) {
    const { tags, called, within, params, record, shown } = of;
    const name = schemaName(record);
    const said = ({ operationId, summary, description, errors: own, anyQuery }: Operation) => ({
      tags,
      operationId,
      summary,
      ...(description && { description }),
      ...(anyQuery && { anyQuery }),
      errors: { ...of.errors, ...own },
    });
    const changed = <B extends TSchema>(words: Operation, body: B) => ({
      ...said(words),
      params,
      body: namedSchema(`${name}Changes`, body),
      response: { 200: shown(words.answer ?? `The ${called} after the change.`) },
    });

    return {
      read: (words: Operation) =>
        get({ ...said(words), params, response: { 200: shown(words.answer ?? `The ${called}.`) } }),

      list: <const K extends string>(words: Operation, key: K) =>
        get({
          ...said(words),
          params: within,
          response: { 200: listAnswer(record, key, words.answer ?? 'All of them.') },
        }),

      page: <const K extends string, F extends Described = Record<never, never>>(
        words: Operation,
        key: K,
        filter = {} as F,
      ) =>
        get({
          ...said(words),
          params: within,
          querystring: queryOf({ ...pageQuery, ...filter }),
          response: { 200: pageAnswer(record, key, words.answer ?? `A page of ${key}.`) },
        }),

      create: <B extends TSchema>(words: Operation, body: B) =>
        post({
          ...said(words),
          params: within,
          body: namedSchema(`New${name}`, body),
          response: { 201: shown(words.answer ?? `The ${called} as stored.`) },
        }),

      replace: <B extends TSchema>(words: Operation, body: B) => put(changed(words, body)),
      change: <B extends TSchema>(words: Operation, body: B) => patch(changed(words, body)),

      remove: (words: Operation) =>
        remove({
          ...said(words),
          params,
          response: { 204: Type.Null({ description: words.answer ?? 'It is gone.' }) },
        }),
    };
  }

  return { get, post, put, patch, remove, resource };
}

/** What a record is called among the components of the description. */
export function schemaName(schema: TSchema): string {
  return String((schema as { $id?: string }).$id);
}
