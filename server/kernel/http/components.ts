import type { ErrorAnswers } from './error-answers.ts';

interface Media {
  schema?: { title?: string; description?: string; $ref?: string };
}

interface Response {
  content?: Record<string, Media>;
  headers?: Record<string, object>;
  required?: boolean;
}

interface Parameter {
  in: string;
  name: string;
}

interface Operation {
  operationId?: string;
  parameters?: (Parameter | { $ref: string })[] | undefined;
  requestBody?: Response;
  responses: Record<string, Response | { $ref: string; description?: string }>;
}

/** OpenAPI document, with the parts that are searched for equal schemas, responses, parameters and headers to share. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    responses?: Record<string, object>;
    parameters?: Record<string, object>;
    headers?: Record<string, object>;
  };
}

/**
 * Moves parts that several operations share into the document's components. Errors of operations become references to
 * `components.responses`. Bodies and responses with a `title` go to `components.schemas` under that name, and so do
 * items of lists in them. Of parameters and headers with the same name, the most frequent variant goes to
 * `components.parameters` and `components.headers`.
 */
export function nameParts(document: Document, errorsOf: ReadonlyMap<string, ErrorAnswers>): void {
  const { schemas } = document.components;
  document.components.responses ??= {};
  const { responses } = document.components;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  document.components.parameters = shareParameters(operations);
  document.components.headers = shareHeaders(operations);
  for (const operation of operations) {
    const { operationId = '', requestBody } = operation;
    for (const answer of [requestBody, ...Object.values(operation.responses)]) {
      for (const media of Object.values((answer as Response | undefined)?.content ?? {})) name(media);
    }
    for (const [status, { name, response, description }] of Object.entries(errorsOf.get(operationId) ?? {})) {
      keep(responses, name, response);
      const $ref = `#/components/responses/${name}`;
      operation.responses[status] = { $ref, ...(description && { description }) };
    }
  }
  shareItems(schemas);

  function name(media: Media): void {
    if (!media.schema?.title) return;
    // The schema's description is about this single body or response, so the shared schema does not get it.
    const { title, description: _, ...schema } = media.schema;
    keep(schemas, title, schema);
    media.schema = { $ref: `#/components/schemas/${title}` };
  }
}

type Schema = Record<string, unknown>;

/** Moves items of lists that have a `title` from the properties of schemas to `components.schemas`, under that name. */
function shareItems(schemas: Record<string, object>): void {
  const shareIn = (properties: Record<string, Schema> = {}): void => {
    for (const property of Object.values(properties)) {
      shareIn(property.properties as Record<string, Schema>);
      const { title, ...items } = (property.items ?? {}) as Schema;
      if (typeof title !== 'string') continue;
      keep(schemas, title, items);
      property.items = { $ref: `#/components/schemas/${title}` };
    }
  };
  for (const schema of Object.values(schemas) as Schema[]) {
    shareIn(schema.properties as Record<string, Schema>);
  }
}

/**
 * Marks the request bodies of these operations as optional in the API reference, which first has all request bodies as
 * required.
 */
export function freeBodies({ paths }: Document, operationIds: ReadonlySet<string>): void {
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (operationIds.has(operation.operationId ?? '')) delete operation.requestBody?.required;
  }
}

function shareParameters(operations: readonly Operation[]): Record<string, object> {
  const parameters = operations.flatMap(({ parameters }) => parameters ?? []).filter((one) => 'name' in one);
  const shared = commonest(parameters.map((one) => [one.name, one]));
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map((one) =>
      'name' in one && same(shared[one.name], one) ? { $ref: `#/components/parameters/${one.name}` } : one,
    );
  }
  return shared;
}

function shareHeaders(operations: readonly Operation[]): Record<string, object> {
  const answers = operations.flatMap(({ responses }) => Object.values(responses) as Response[]);
  const shared = commonest(answers.flatMap(({ headers = {} }) => Object.entries(headers)));
  for (const { headers = {} } of answers) {
    for (const [name, header] of Object.entries(headers)) {
      if (same(shared[name], header)) headers[name] = { $ref: `#/components/headers/${name}` };
    }
  }
  return shared;
}

/** Most frequent variant among parts of an OpenAPI document with the same name, if it appears more than once. */
function commonest(parts: readonly (readonly [name: string, part: object])[]): Record<string, object> {
  const shared: Record<string, object> = {};
  for (const [name, all] of Map.groupBy(parts, ([name]) => name)) {
    const variants = [...Map.groupBy(all, ([, part]) => JSON.stringify(part)).values()];
    const [most = []] = variants.sort((one, other) => other.length - one.length);
    if (most[0] && most.length > 1) shared[name] = most[0][1];
  }
  return shared;
}

function same(one: object | undefined, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function keep(named: Record<string, object>, name: string, part: object): void {
  const there = named[name];
  if (there && !same(there, part)) throw new Error(`two parts are called ${name}`);
  named[name] = part;
}
