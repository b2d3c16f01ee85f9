import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { pageQuery } from '../paging.ts';
import type { ErrorAnswers, Errors } from './error-answers.ts';
import { schemaRef } from './shapes.ts';

/**
 * Defaults of a group of routes: what all routes on one side of the product have in common, and routes that read, list,
 * create, change and remove a resource. The file contract.ts of an area adds only what is special to its routes.
 */
export interface RouteDefaults {
  security: { [scheme: string]: string[] }[];
  describe(errors: Errors): ErrorAnswers;
  /** Errors that any of the routes can give, and those of routes with a body and of routes of each HTTP method. */
  errors: { any: Errors; body?: Errors } & { [M in Method]?: Errors };
  /**
   * Scopes of access tokens that allow each operation, by `operationId`; an empty list: any token. Operations that are
   * not named here require a token with all rights.
   */
  scopes?: Readonly<Record<string, readonly string[]>>;
  /** Request headers that the routes of each HTTP method use. */
  headers?: { [M in Method]?: object };
}

declare module 'fastify' {
  interface FastifySchema {
    /** Scopes of access tokens that allow the route; empty: any token; undefined: only tokens with all rights. */
    scopes?: readonly string[];
  }
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Description of an operation of the API. */
export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  /** Description of the operation's successful response, instead of the default description. */
  answer?: string;
  /** Errors of this operation in addition to those that all operations of its group have. */
  errors?: Errors;
  /**
   * True if unknown query parameters are ignored, because the API's contract requires it or because other programs may
   * append parameters to the address.
   */
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
  security: RouteDefaults['security'];
  errors: ErrorAnswers;
};

/** Schema of a query, as `queryOf` makes it: the known parameters, and whether others are ignored. */
export interface QuerySchema {
  properties: object;
  additionalProperties: boolean;
}

/** True if a query with unknown parameters is refused by a route with this schema. */
export function refusesUnknownParameters(query: object | undefined): query is QuerySchema {
  return (query as Partial<QuerySchema> | undefined)?.additionalProperties === false;
}

/** Value of a query parameter: text as received, or a list if it was repeated. */
export type QueryValue = string | string[];

/**
 * Makes a route's `schema.querystring` from the table by which `readQuery` reads the query. Its type is that of the raw
 * values.
 */
export function queryOf<T extends Described>(
  table: T,
  others: 'refuses others' | 'ignores others' = 'refuses others',
) {
  const properties = Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, schema]));
  const additionalProperties = others === 'ignores others';
  return Type.Unsafe<{ [K in keyof T]?: QueryValue }>({ type: 'object', properties, additionalProperties });
}

type Described = Readonly<Record<string, { schema: object }>>;

/** Makes a route's `schema.headers` from pieces such as `ifMatchHeader`. All of the headers are optional. */
export function headersOf(headers: object) {
  return Type.Unsafe<Record<string, string | undefined>>({ type: 'object', properties: headers });
}

/** Schema of a response that has one resource, under the key `key`. */
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
    properties: { [key]: schemaRef(record) },
    description,
    ...(headers && { headers }),
  });
}

/** Schema of a response that has all resources of one kind in a list. */
export function listAnswer<R extends TObject, const K extends string>(
  record: R,
  key: K,
  description: string,
) {
  return Type.Unsafe<{ [key in K]: Static<R>[] }>({
    title: `${schemaName(record)}List`,
    type: 'object',
    required: [key],
    properties: { [key]: Type.Array(schemaRef(record)) },
    description,
  });
}

/** Schema of a response that has one page of a list of resources. */
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
      [key]: Type.Array(schemaRef(record)),
      total: Type.Integer({ description: 'The total number.' }),
      page: Type.Integer(),
      limit: Type.Integer(),
    },
    description,
  });
}

/** Path parameters of a resource that does not belong to another resource: none. */
export const noParameters = Type.Object({});

/** Gives the schema of a body or response a name in the API's description. */
export function namedSchema<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, title: name };
}

/** Makes the functions that describe the routes on one side (planning or hosting) of the product. */
export function createFrames({ security, describe, errors, headers, scopes = {} }: RouteDefaults) {
  const route =
    (method: Method) =>
    <R extends Route>({ anyQuery, ...schema }: R): Framed<R> => {
      // A route without query parameters refuses all parameters: a client that sends `dry_run` would otherwise believe
      // that it works there.
      const querystring = schema.querystring ?? (anyQuery ? undefined : queryOf({}));
      const allowing = scopes[schema.operationId];
      const framed = {
        security,
        ...schema,
        ...(allowing && { scopes: allowing }),
        ...(querystring && { querystring }),
        ...(headers?.[method] && { headers: headersOf(headers[method]) }),
        errors: describe({
          ...errors.any,
          ...(schema.body && errors.body),
          ...(refusesUnknownParameters(querystring) && { 400: true }),
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
   * Describes the routes of a resource. `called` is its name, `params` its own path parameters, `within` those of the
   * resource that it belongs to; `errors` are common to all its routes; `shown` is its schema in responses.
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
    const describeOperation = ({ operationId, summary, description, errors: own, anyQuery }: Operation) => ({
      tags,
      operationId,
      summary,
      ...(description && { description }),
      ...(anyQuery && { anyQuery }),
      errors: { ...of.errors, ...own },
    });
    const changed = <B extends TSchema>(words: Operation, body: B) => ({
      ...describeOperation(words),
      params,
      body: namedSchema(`${name}Changes`, body),
      response: { 200: shown(words.answer ?? `The ${called} after the change.`) },
    });

    return {
      read: (words: Operation) =>
        get({
          ...describeOperation(words),
          params,
          response: { 200: shown(words.answer ?? `The ${called}.`) },
        }),

      list: <const K extends string>(words: Operation, key: K) =>
        get({
          ...describeOperation(words),
          params: within,
          response: { 200: listAnswer(record, key, words.answer ?? 'All of them.') },
        }),

      page: <const K extends string, F extends Described = Record<never, never>>(
        words: Operation,
        key: K,
        filter = {} as F,
      ) =>
        get({
          ...describeOperation(words),
          params: within,
          querystring: queryOf({ ...pageQuery, ...filter }),
          response: { 200: pageAnswer(record, key, words.answer ?? `A page of ${key}.`) },
        }),

      create: <B extends TSchema>(words: Operation, body: B) =>
        post({
          ...describeOperation(words),
          params: within,
          body: namedSchema(`New${name}`, body),
          response: { 201: shown(words.answer ?? `The ${called} as stored.`) },
        }),

      replace: <B extends TSchema>(words: Operation, body: B) => put(changed(words, body)),
      change: <B extends TSchema>(words: Operation, body: B) => patch(changed(words, body)),

      remove: (words: Operation) =>
        remove({
          ...describeOperation(words),
          params,
          response: { 204: Type.Null({ description: words.answer ?? 'Deleted.' }) },
        }),
    };
  }

  return { get, post, put, patch, remove, resource };
}

/** Name by which the API's description lists a schema among its components. */
export function schemaName(schema: TSchema): string {
  return String((schema as { $id?: string }).$id);
}
