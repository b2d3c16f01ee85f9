import { type Static, Type } from 'typebox';
import { inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { noParameters } from '../../kernel/http/resource.ts';
import { textOrNullSchema } from '../../kernel/http/shapes.ts';
import { organizerFrames, versionedAnswer } from '../events/area.ts';
import { feedFields } from './fields.ts';

/** Schemas of an organizer's calendar feed. */

export const CalendarFeed = Type.Object(
  {
    url: textOrNullSchema({
      description:
        'Secret address of the calendar (iCalendar, RFC 5545): everybody who knows it can read the calendar. null: there is none.',
    }),
    ...outputFields(feedFields),
  },
  {
    $id: 'CalendarFeed',
    examples: [
      {
        url: 'https://simcha.example.com/c/kq3x…0Yw.ics',
        language: 'hebrew',
        payments: true,
        approvals: true,
      },
    ],
  },
);
export type CalendarFeed = Static<typeof CalendarFeed>;

const feed = organizerFrames.resource({
  tags: ['calendar'],
  called: 'calendar feed',
  within: noParameters,
  params: noParameters,
  record: CalendarFeed,
  errors: {},
  shown: versionedAnswer(CalendarFeed, 'feed'),
});

export const readFeedSchema = feed.read({
  operationId: 'readCalendarFeed',
  summary: 'Read your calendar feed’s address and settings',
});

export const openFeedSchema = feed.replace(
  {
    operationId: 'openCalendarFeed',
    summary: 'Open your calendar feed, or change its settings',
    description:
      'The feed has your events and those shared with you, of the last 90 days and all future ones; calendar programs ' +
      'refresh it automatically. Partial: an absent field stays as it is. The address stays the same until it is renewed.',
  },
  Type.Object(inputFields(feedFields), {
    additionalProperties: false,
    examples: [{ language: 'hebrew', payments: true, approvals: true }],
  }),
);

export const renewFeedSchema = organizerFrames.post({
  tags: ['calendar'],
  operationId: 'renewCalendarFeed',
  summary: 'Give your calendar feed a new address',
  description: 'The former address stops working.',
  errors: { 404: 'There is no feed: open one first.' },
  response: { 200: versionedAnswer(CalendarFeed, 'feed')('The feed at its new address.') },
});

export const closeFeedSchema = feed.remove({
  operationId: 'closeCalendarFeed',
  summary: 'Close your calendar feed',
  description: 'Its address stops working. A feed that is opened later has a new address.',
});
