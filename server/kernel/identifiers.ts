import { randomUUIDv7 } from 'node:crypto';

/** A new UUID v7: its order is the order of making. */
export const newId: () => string = randomUUIDv7;

/** Any UUID in its usual form; PostgreSQL would take others, such as one in braces. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** When a UUID v7 was made, in milliseconds since 1970. */
export function madeAt(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
