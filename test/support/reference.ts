import assert from 'node:assert/strict';
import type { Answer } from './client.ts';

// That the API's reference names every status that a route answers with: held against each answer that any test gets.

interface Operation {
  method: string;
  path: RegExp;
  name: string;
  statuses: string[];
}

type Paths = Record<string, Record<string, { responses?: object }>>;

let operations: Operation[] | undefined;

/** What the reference says; every server of a process has the same. */
export function learnReference(document: () => object): void {
  operations ??= Object.entries((document() as { paths: Paths }).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      name: `${method.toUpperCase()} ${path}`,
      statuses: Object.keys(responses ?? {}),
    })),
  );
  // `/guests/numbers` before `/guests/{guestId}`.
  operations.sort((a, b) => parameters(a) - parameters(b));
}

const parameters = ({ name }: Operation) => name.split('{').length;

export function holdAgainstReference(method: string, url: string, { status, text }: Answer): void {
  const { pathname } = new URL(url);
  const operation = operations?.find((one) => one.method === method && one.path.test(pathname));
  if (!operation) return;
  assert.ok(
    operation.statuses.includes(String(status)),
    `${operation.name} answered ${status}, which the reference does not name: ${text.slice(0, 300)}`,
  );
}
