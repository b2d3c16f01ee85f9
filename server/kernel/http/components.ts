import type { ErrorAnswers } from './error-answers.ts';

interface Media {
  schema?: { title?: string; description?: string; $ref?: string };
}

interface Response {
  content?: Record<string, Media>;
}

interface Operation {
  operationId?: string;
  requestBody?: Response;
  responses: Record<string, Response | { $ref: string; description?: string }>;
}

/** What there is to share of an OpenAPI document. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses?: Record<string, object> };
}

/**
 * Gives the parts of a document their names: the errors of each operation become references to
 * `components.responses`, and bodies and answers with a `title` go by it to `components.schemas`.
 */
export function nameParts(document: Document, errorsOf: ReadonlyMap<string, ErrorAnswers>): void {
  const { schemas } = document.components;
  document.components.responses ??= {};
  const { responses } = document.components;
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
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

function keep(named: Record<string, object>, name: string, part: object): void {
  const there = named[name];
  if (there && JSON.stringify(there) !== JSON.stringify(part))
    throw new Error(`two parts are called ${name}`);
  named[name] = part;
}
