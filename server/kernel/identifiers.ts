import { randomUUIDv7 } from 'node:crypto';

/** Makes a new UUID v7. Such ids sort in the order of their creation. */
export const newId: () => string = randomUUIDv7;

/** Lowest UUID, with which a list in the order of ids begins: every row's id comes after it. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** True for a UUID in its usual form. PostgreSQL would accept other forms, such as one in braces. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Time at which a UUID v7 was made, in milliseconds since 1970. */
export function creationTimeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
