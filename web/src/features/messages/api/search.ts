import type { RoundGuest } from 'simcha-client';
import { CHANNELS, type RoundChannel, type RoundKind } from './kinds.ts';

export const AUDIENCE_ANSWERS = ['pending', 'maybe', 'confirmed', 'waiting', 'declined'] as const;
export type AudienceAnswer = (typeof AUDIENCE_ANSWERS)[number];
export const DELIVERIES = [
  'bounced',
  'unknown',
  'waiting',
  'sent',
  'delivered',
  'read',
  'left_out',
] as const satisfies RoundGuest['delivery'][];

const KINDS: readonly RoundKind[] = [
  'save_the_date',
  'invitation',
  'reminder',
  'change',
  'cancellation',
  'see_you',
  'thanks',
  'message',
  'moved_up',
  'accepted',
];

/** Search parameters of the composer: kind and audience are in the address, so that other pages can link to them. */
export interface ComposerSearch {
  kind?: RoundKind | undefined;
  channel?: RoundChannel | undefined;
  some?: true | undefined;
  status?: AudienceAnswer[] | undefined;
  tag?: string[] | undefined;
  invited?: boolean | undefined;
  /** Identifier of an earlier round: the new message is sent to the guests whom that round did not reach. */
  from?: string | undefined;
}

export function readComposerSearch(search: Record<string, unknown>): ComposerSearch {
  const listed = (value: unknown) => [value].flat().filter((one) => typeof one === 'string' && one !== '');
  const status = listed(search.status).filter((one) => AUDIENCE_ANSWERS.some((known) => known === one));
  const tag = listed(search.tag);
  const invited = typeof search.invited === 'boolean' ? search.invited : undefined;
  const isSome = search.some === true || status.length > 0 || tag.length > 0 || invited !== undefined;
  return {
    kind: KINDS.find((kind) => kind === search.kind),
    channel: CHANNELS.find((channel) => channel === search.channel),
    some: isSome || undefined,
    status: status.length > 0 ? (status as AudienceAnswer[]) : undefined,
    tag: tag.length > 0 ? (tag as string[]) : undefined,
    invited,
    from: typeof search.from === 'string' && search.from !== '' ? search.from : undefined,
  };
}

export interface ListSearch {
  page?: number | undefined;
}

export function readListSearch({ page }: Record<string, unknown>): ListSearch {
  return { page: Number.isSafeInteger(page) && Number(page) > 1 ? Number(page) : undefined };
}

export interface RoundSearch {
  show?: RoundGuest['delivery'] | undefined;
  q?: string | undefined;
}

export function readRoundSearch({ show, q }: Record<string, unknown>): RoundSearch {
  return {
    show: DELIVERIES.find((delivery) => delivery === show),
    // The router reads a search parameter of digits only as a number.
    q: (typeof q === 'string' && q !== '') || typeof q === 'number' ? String(q) : undefined,
  };
}
