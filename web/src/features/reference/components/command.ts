import type { Description, Operation } from '../api/description.ts';
import { sampleOf } from './schema-types.ts';

/** Example of a request body: the one in the API's description, else one generated from the schema. */
export function exampleBody({ body }: Operation, resolve: Description['resolve']): unknown {
  const { example, schema } = body?.content['application/json'] ?? {};
  return example ?? (schema && sampleOf(schema, resolve));
}

/** API call as a `curl` command, with placeholders for credentials as in the README. */
export function commandOf(operation: Operation, resolve: Description['resolve'], origin: string): string {
  const { method, path, security, body } = operation;
  const sample = body && exampleBody(operation, resolve);
  const [other] = Object.keys(body?.content ?? {});
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${origin}${path}'`,
    security.includes('organizer') ? `-H "Authorization: Bearer $TOKEN"` : '',
    security.includes('apiKey') && !security.includes('organizer') ? `-H "X-API-Key: $KEY"` : '',
    sample !== undefined ? `-H 'Content-Type: application/json'` : '',
    sample !== undefined ? `-d '${JSON.stringify(sample).replaceAll("'", "'\\''")}'` : '',
    sample === undefined && other ? `-H 'Content-Type: ${other}' --data-binary @file` : '',
  ];
  return lines.filter(Boolean).join(' \\\n  ');
}
