import assert from 'node:assert/strict';
import type { Answer } from './client.ts';

// Checks every response that any test gets: the API reference must name its status for that route.

interface Operation {
  method: string;
  path: RegExp;
  name: string;
  statuses: number[];
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked, not typed
type Part = any;

/** Operations of an OpenAPI document, in the order of the document. */
export function operationsOf(document: Part): { method: string; path: string; operation: Part }[] {
  return Object.entries<Part>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Part>(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

export function statusesOf({ responses }: Part): number[] {
  return Object.keys(responses).map(Number);
}

let operations: Operation[] | undefined;

/** Reads the API reference, which is the same for every server of a process. */
export function learnReference(document: () => object): void {
  operations ??= operationsOf(document()).map(({ method, path, operation }) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    name: `${method.toUpperCase()} ${path}`,
    statuses: statusesOf(operation),
  }));
  // Routes with fewer parameters are compared first: `/guests/numbers` before `/guests/{guestId}`.
  operations.sort((a, b) => parameters(a) - parameters(b));
}

const parameters = ({ name }: Operation) => name.split('{').length;

export function holdAgainstReference(method: string, url: string, { status, text }: Answer): void {
  const { pathname } = new URL(url);
  const operation = operations?.find((one) => one.method === method && one.path.test(pathname));
  if (!operation) return;
  assert.ok(
    operation.statuses.includes(status),
    `${operation.name} answered ${status}, which the reference does not name: ${text.slice(0, 300)}`,
  );
}
