import type { ErrorAnswers } from './error-answers.ts';

interface Media {
  schema?: { title?: string; description?: string; $ref?: string };
}

interface Response {
  content?: Record<string, Media>;
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

/** What there is to share of an OpenAPI document. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    responses?: Record<string, object>;
    parameters?: Record<string, object>;
  };
}

/**
 * Gives the parts of a document their names: the errors of each operation become references to
 * `components.responses`, bodies and answers with a `title` go by it to `components.schemas`, and a parameter that is the
 * same wherever it appears goes to `components.parameters`.
 */
export function nameParts(document: Document, errorsOf: ReadonlyMap<string, ErrorAnswers>): void {
  const { schemas } = document.components;
  document.components.responses ??= {};
  const { responses } = document.components;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  document.components.parameters = shareParameters(operations);
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

  function name(media: Media): void {
    if (!media.schema?.title) return;
    // What describes it describes the body or the answer, and stands there.
    const { title, description: _, ...schema } = media.schema;
    keep(schemas, title, schema);
    media.schema = { $ref: `#/components/schemas/${title}` };
  }
}

function shareParameters(operations: readonly Operation[]): Record<string, object> {
  const parameters = operations.flatMap(({ parameters }) => parameters ?? []).filter((one) => 'name' in one);
  const variants = Map.groupBy(parameters, ({ name }) => name);
  const shared: Record<string, object> = {};
  for (const [name, all] of variants) {
    const [first, ...others] = all.map((one) => JSON.stringify(one));
    if (all[0] && others.length > 0 && others.every((other) => other === first)) shared[name] = all[0];
  }
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map((one) =>
      'name' in one && shared[one.name] ? { $ref: `#/components/parameters/${one.name}` } : one,
    );
  }
  return shared;
}

function keep(named: Record<string, object>, name: string, part: object): void {
  const there = named[name];
  if (there && JSON.stringify(there) !== JSON.stringify(part))
    throw new Error(`two parts are called ${name}`);
  named[name] = part;
}
