import type { Description, Operation } from '../api/description.ts';
import { sampleOf } from './schema-types.ts';

/** Example of a request body: the one in the API's description, else one generated from the schema. */
export function exampleBody({ body }: Operation, resolve: Description['resolve']): unknown {
  const { example, schema } = body?.content['application/json'] ?? {};
  return example ?? (schema && sampleOf(schema, resolve));
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  organizer: `-H "Authorization: Bearer $TOKEN"`,
  apiKey: `-H "X-API-Key: $KEY"`,
};

/**
 * API call as a `curl` command. Parameters of the path are filled in as far as the reader has typed them. A variable
 * such as `$TOKEN` stands for the credential, of the first kind that the call accepts.
 */
export function commandOf(
  operation: Operation,
  resolve: Description['resolve'],
  origin: string,
  given: Readonly<Record<string, string>> = {},
): string {
  const { method, security, body } = operation;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (place, name) =>
    given[name] ? encodeURIComponent(given[name]) : place,
  );
  const credential = security.find((one) => one in CREDENTIALS) ?? '';
  const sample = body && exampleBody(operation, resolve);
  const [other] = Object.keys(body?.content ?? {});
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${origin}${path}'`,
    CREDENTIALS[credential] ?? '',
    sample !== undefined ? `-H 'Content-Type: application/json'` : '',
    sample !== undefined ? `-d '${JSON.stringify(sample).replaceAll("'", "'\\''")}'` : '',
    sample === undefined && other ? `-H 'Content-Type: ${other}' --data-binary @file` : '',
  ];
  return lines.filter(Boolean).join(' \\\n  ');
}
