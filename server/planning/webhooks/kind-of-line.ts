import type { Change } from '../../kernel/writes/history.ts';
import type { EventKind } from '../../webhooks/kinds.ts';

type Line = Pick<Change, 'subject' | 'subject_id' | 'action' | 'changes'>;

/** Fields of a guest that are their answer. */
const ANSWER_FIELDS = ['rsvp_status', 'maybe', 'coming', 'waiting_since', 'answered_at'];

const OF_STATUS: Readonly<Record<string, EventKind>> = {
  published: 'event.published',
  cancelled: 'event.cancelled',
};

/** Kind of the message to webhooks about a line of an event's history; undefined if there is none. */
export function kindOfLine(line: Line): EventKind | undefined {
  switch (line.subject) {
    case 'event':
      return kindOfEvent(line);
    case 'guest':
      return line.subject_id === null ? undefined : kindOfGuest(line);
    case 'round':
      return line.action === 'sent' ? 'message.sent' : undefined;
    default:
      return undefined;
  }
}

function kindOfEvent({ action, changes }: Line): EventKind | undefined {
  if (action === 'deleted') return 'event.deleted';
  if (action === 'restored') return 'event.changed';
  if (action !== 'changed') return undefined;
  return OF_STATUS[String(changes?.status?.to)] ?? 'event.changed';
}

function kindOfGuest({ action, changes }: Line): EventKind | undefined {
  switch (action) {
    case 'created':
    case 'accepted':
    case 'restored':
      return 'guest.added';
    case 'deleted':
      return 'guest.removed';
    case 'answered':
      return 'answer.given';
    case 'moved_up':
      return 'guest.changed';
    case 'changed':
      return ANSWER_FIELDS.some((field) => changes && field in changes) ? 'answer.given' : 'guest.changed';
    default:
      return undefined;
  }
}
