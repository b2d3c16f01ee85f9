import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOfLine } from './kind-of-line.ts';

const changed = (field: string, to: unknown) => ({ [field]: { from: null, to } });
type Row = [
  subject: string,
  action: string,
  changes: ReturnType<typeof changed> | undefined,
  kind: string | undefined,
];

const LINES: readonly Row[] = [
  ['event', 'changed', changed('title', 'x'), 'event.changed'],
  ['event', 'changed', changed('status', 'published'), 'event.published'],
  ['event', 'changed', changed('status', 'cancelled'), 'event.cancelled'],
  ['event', 'changed', changed('status', 'completed'), 'event.changed'],
  ['event', 'deleted', undefined, 'event.deleted'],
  ['event', 'restored', undefined, 'event.changed'],
  ['event', 'duplicated', changed('copied_to', 'x'), undefined],
  ['guest', 'created', undefined, 'guest.added'],
  ['guest', 'accepted', changed('rsvp_status', 'confirmed'), 'guest.added'],
  ['guest', 'restored', undefined, 'guest.added'],
  ['guest', 'changed', changed('name', 'x'), 'guest.changed'],
  ['guest', 'changed', changed('rsvp_status', 'declined'), 'answer.given'],
  ['guest', 'answered', changed('coming', 2), 'answer.given'],
  ['guest', 'moved_up', changed('rsvp_status', 'confirmed'), 'guest.changed'],
  ['guest', 'deleted', undefined, 'guest.removed'],
  ['guest', 'link_revoked', undefined, undefined],
  ['round', 'sent', undefined, 'message.sent'],
  ['round', 'scheduled', undefined, undefined],
  ['booking', 'created', undefined, undefined],
];

test('each line of history has at most one kind of message', () => {
  for (const [subject, action, changes, kind] of LINES) {
    const line = { subject, subject_id: '1', action, ...(changes && { changes }) };
    assert.equal(kindOfLine(line), kind, `${subject} ${action}`);
  }
});

test('a line about many guests at once has none of its own', () => {
  assert.equal(kindOfLine({ subject: 'guest', subject_id: null, action: 'erased' }), undefined);
});
