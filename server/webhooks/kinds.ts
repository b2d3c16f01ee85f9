/** Kinds of messages about events and their guests. */
export const EVENT_KINDS = [
  'event.created',
  'event.changed',
  'event.published',
  'event.cancelled',
  'event.deleted',
  'guest.added',
  'guest.changed',
  'guest.removed',
  'answer.given',
  'message.sent',
  'message.failed',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Kinds of messages about applications and their sites. */
export const SITE_KINDS = [
  'deployment.started',
  'deployment.succeeded',
  'deployment.failed',
  'deployment.cancelled',
  'site.down',
  'site.up',
] as const;
export type SiteKind = (typeof SITE_KINDS)[number];

/** Kinds of messages that an endpoint can choose. */
export const KINDS = [...EVENT_KINDS, ...SITE_KINDS] as const;
export type Kind = (typeof KINDS)[number];

/** Kind of the message that an endpoint's owner sends to try the endpoint. */
export const TEST_KIND = 'webhook.test';

export function isEventKind(kind: string): kind is EventKind {
  return (EVENT_KINDS as readonly string[]).includes(kind);
}
