import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../lib/api.ts';

// Parts of OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1) that this server's /openapi.json uses.

export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: Schema;
}

type Content = Record<string, { schema?: Schema; example?: unknown }>;

export interface DescribedAnswer {
  description: string;
  content?: Content;
  headers?: Record<string, unknown>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  method: string;
  path: string;
  tag: string;
  parameters: Parameter[];
  body?: { required: boolean; content: Content };
  security: string[];
  /** Scopes of access tokens that allow the call; empty: any token. */
  scopes: string[];
  answers: (DescribedAnswer & { status: string })[];
}

export interface Description {
  title: string;
  version: string;
  /** Groups of API calls (such as those about guests), in the order in which the reference lists them. */
  groups: { name: string; description: string; operations: Operation[] }[];
  /** Returns the target of a schema's `$ref`, or the schema itself if it has no `$ref`. */
  resolve<T extends object>(one: T): T;
}

interface RawOperation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { required?: boolean; content: Content };
  security?: Record<string, string[]>[];
  responses: Record<string, DescribedAnswer & { $ref?: string }>;
}

interface RawDescription {
  info: { title: string; version: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, RawOperation>>;
  components: Record<string, Record<string, object>>;
}

export const descriptionQuery = queryOptions({
  queryKey: ['description'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const { data } = await client.get<{ 200: RawDescription }, unknown, true>({
      url: '/openapi.json',
      signal,
    });
    return readDescription(data);
  },
});

export function readDescription({ info, tags, paths, components }: RawDescription): Description {
  const resolve = <T extends object>(one: T): T => {
    const { $ref, ...beside } = one as T & { $ref?: string };
    if ($ref === undefined) return one;
    const [, , kind = '', name = ''] = $ref.split('/');
    // Fields beside a `$ref` apply only where the schema is used, so they are merged over its target.
    return { ...(components[kind]?.[name] as T | undefined), ...(beside as unknown as T) };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]): Operation => {
      const { operationId, summary = operationId, tags: [tag = ''] = [], security = [] } = raw;
      return {
        operationId,
        summary,
        method: method.toUpperCase(),
        path,
        tag,
        parameters: (raw.parameters ?? []).map(resolve),
        security: security.flatMap((one) => Object.keys(one)),
        scopes: security.find((one) => one.apiKey)?.apiKey ?? [],
        answers: Object.entries(raw.responses).map(([status, answer]) => ({ status, ...resolve(answer) })),
        ...(raw.description && { description: raw.description }),
        ...(raw.requestBody && {
          body: { required: raw.requestBody.required ?? false, content: raw.requestBody.content },
        }),
      };
    }),
  );
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  return {
    title: info.title,
    version: info.version,
    resolve,
    groups: tags.map(({ name, description = '' }) => ({
      name,
      description,
      operations: byTag.get(name) ?? [],
    })),
  };
}

/** Server's response to a call that the reader of the API reference tried out, as text. */
export interface TriedCall {
  status: number;
  text: string;
}

/**
 * Sends a call of the API reference to the server, with an API key or token, or else with the page's session. Error
 * responses are returned too.
 */
export async function tryOperation(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  given: { path: Record<string, string>; query: Record<string, string>; body: unknown; credential: string },
): Promise<TriedCall> {
  const { response, error, data } = await client.request({
    method: method as 'GET',
    url: path,
    path: given.path,
    query: given.query,
    ...(given.body !== undefined && { body: given.body }),
    headers: {
      ...(given.body !== undefined && { 'content-type': 'application/json' }),
      ...(given.credential && credentialHeader(path, given.credential)),
    },
    parseAs: 'text',
    throwOnError: false,
    security: [],
  });
  const content = error instanceof Error && 'body' in error ? error.body : (error ?? data);
  const text = typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content);
  if (!response) throw error;
  return { status: response.status, text: pretty(text) };
}

/** Header with an API key or token: the API for developers reads `X-API-Key` first, all others `Authorization`. */
function credentialHeader(path: string, credential: string): Record<string, string> {
  return path.startsWith('/api/v1') ? { 'x-api-key': credential } : { authorization: `Bearer ${credential}` };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
