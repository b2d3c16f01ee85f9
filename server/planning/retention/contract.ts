import { Type } from 'typebox';
import { bodyOf } from '../../kernel/http/field-schemas.ts';
import { namedSchema } from '../../kernel/http/resource.ts';
import { dateOrNullSchema, dateTimeOrNullSchema } from '../../kernel/http/shapes.ts';
import { eventFrames, versionedAnswer } from '../events/area.ts';
import { retentionFields } from './fields.ts';

export const RetentionView = Type.Object(
  {
    retention_policy_days: Type.Integer({
      description: 'Whole days after the event’s own.',
    }),
    erases_on: dateOrNullSchema(
      'The day the guests’ data goes, in Israel; null without an event date, or never.',
    ),
    told_at: dateTimeOrNullSchema('When the organizer was told by mail.'),
    erased_at: dateTimeOrNullSchema('When it went; null again once guests change.'),
  },
  { $id: 'Retention' },
);

const { get, post, put } = eventFrames(['guests']);

export const retentionSchema = get(
  { operationId: 'readRetention', summary: 'Read when the guests’ data goes' },
  versionedAnswer(RetentionView, 'retention')('Where the event stands.'),
);

export const changeRetentionSchema = put(
  {
    operationId: 'changeRetention',
    summary: 'Decide when the guests’ data goes',
    description:
      'The event’s organizer only, whatever its status, until the data has gone. Guests read the day on their pages.',
    body: namedSchema(
      'RetentionChanges',
      bodyOf(retentionFields, { examples: [{ retention_policy_days: 90 }] }),
    ),
    errors: { 409: 'The data has gone.' },
  },
  versionedAnswer(RetentionView, 'retention')('Where the event stands now.'),
);

export const eraseSchema = post(
  {
    operationId: 'eraseGuests',
    summary: 'Erase the guests’ data at once',
    description:
      'Names, phones, mail addresses, tags, allergies, notes and messages go, everywhere they are kept, and personal ' +
      'links end and messages that wait are withdrawn; guests and their answers stay as counts. The event’s organizer only, whatever its status. For good.',
  },
  Type.Object(
    { erased: Type.Integer({ description: 'Guests who had something to erase.' }) },
    { title: 'Erasure', description: 'Erased.' },
  ),
);
