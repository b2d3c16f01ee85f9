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
      'Day on which the guests’ data will be erased, in Israel; null without an event date, or never.',
    ),
    told_at: dateTimeOrNullSchema('When the organizer was notified by mail.'),
    erased_at: dateTimeOrNullSchema('When the data was erased; null again once guests change.'),
  },
  { $id: 'Retention' },
);

const { get, post, put } = eventFrames(['guests']);

export const retentionSchema = get(
  { operationId: 'readRetention', summary: 'Read when the guests’ data will be erased' },
  versionedAnswer(RetentionView, 'retention')('The retention period and its status.'),
);

export const changeRetentionSchema = put(
  {
    operationId: 'changeRetention',
    summary: 'Change when the guests’ data will be erased',
    description:
      'The event’s organizer only, in any status of the event, until the data has been erased. Guests see the date on their pages.',
    body: namedSchema(
      'RetentionChanges',
      bodyOf(retentionFields, { examples: [{ retention_policy_days: 90 }] }),
    ),
    errors: { 409: 'The data has been erased.' },
  },
  versionedAnswer(RetentionView, 'retention')('The retention period and its status after the change.'),
);

export const eraseSchema = post(
  {
    operationId: 'eraseGuests',
    summary: 'Erase the guests’ data at once',
    description:
      'Erases names, phone numbers, email addresses, tags, allergies, notes and messages everywhere, ends personal ' +
      'links and withdraws waiting messages; guests and their answers stay as counts. The event’s organizer only, in any status of the event. Can’t be undone.',
  },
  Type.Object(
    { erased: Type.Integer({ description: 'Number of guests whose data was erased.' }) },
    { title: 'Erasure', description: 'Erased.' },
  ),
);
