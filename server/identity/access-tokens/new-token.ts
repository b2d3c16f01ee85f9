import { toParameter } from '../../kernel/database/transaction.ts';
import { readWhole, type ValuesOf } from '../../kernel/field-types.ts';
import { FieldProblem, fieldsAmong, invalidField } from '../../kernel/fields.ts';
import { LONGEST_DAYS, tokenFields } from './fields.ts';
import { tokenMessages } from './messages.ts';
import type { Grant } from './scopes.ts';

export type NewAccessToken = ValuesOf<typeof tokenFields>;

/** Token with all rights, no restriction and no end, such as the API key of a registration. */
export function fullToken(name: string): NewAccessToken {
  return { name, scopes: ['full'], application_id: null, event_id: null, expires_at: null };
}

/**
 * Reads the request body for a new token. A token that is created with another token (`by`) expires no later than that
 * one: otherwise the end of a stolen token could be put off.
 */
export function readNewToken(body: unknown, now: Temporal.Instant, by: Grant | undefined): NewAccessToken {
  const token = readWhole(tokenFields, fieldsAmong(tokenFields, body));
  if (token.application_id !== null && token.event_id !== null) {
    throw invalidField('event_id', tokenMessages.oneSubject);
  }
  const isFull = token.scopes.includes('full');
  if (isFull && (token.application_id !== null || token.event_id !== null)) {
    throw invalidField('scopes', tokenMessages.fullIsUnrestricted);
  }
  return {
    ...token,
    scopes: isFull ? ['full'] : token.scopes,
    expires_at: earlier(checkedEnd(token.expires_at, now), by?.expiresAt ?? null),
  };
}

/** Latest time at which a token that is created now may expire. */
export function longestEnd(now: Temporal.Instant): string {
  return toParameter(now.add({ hours: LONGEST_DAYS * 24 }));
}

function checkedEnd(end: string | null, now: Temporal.Instant): string | null {
  if (end === null) return null;
  const at = Temporal.Instant.from(end);
  if (Temporal.Instant.compare(at, now) <= 0) throw new FieldProblem('expires_at', { kind: 'past' });
  if (Temporal.Instant.compare(at, now.add({ hours: LONGEST_DAYS * 24 })) > 0) {
    throw invalidField('expires_at', tokenMessages.tooLate(LONGEST_DAYS));
  }
  return end;
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Temporal.Instant.compare(Temporal.Instant.from(one), Temporal.Instant.from(other)) <= 0
    ? one
    : other;
}
