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
        'Whoever has it reads the calendar (iCalendar, RFC 5545): keep it secret. null: there is none.',
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
  summary: 'Read where one’s calendar feed is',
});

export const openFeedSchema = feed.replace(
  {
    operationId: 'openCalendarFeed',
    summary: 'Open one’s calendar feed, or change what is in it',
    description:
      'One’s events of the last 90 days and all to come, and those that others share; a calendar program asks for it ' +
      'again by itself. Partial: an absent field stays as it is. The address stays the same until it is renewed.',
  },
  Type.Object(inputFields(feedFields), {
    additionalProperties: false,
    examples: [{ language: 'hebrew', payments: true, approvals: true }],
  }),
);

export const renewFeedSchema = organizerFrames.post({
  tags: ['calendar'],
  operationId: 'renewCalendarFeed',
  summary: 'Give one’s calendar feed another address',
  description: 'The one of before shows nothing any more.',
  errors: { 404: 'There is no feed: open one first.' },
  response: { 200: versionedAnswer(CalendarFeed, 'feed')('The feed at its new address.') },
});

export const closeFeedSchema = feed.remove({
  operationId: 'closeCalendarFeed',
  summary: 'Close one’s calendar feed',
  description: 'Its address shows nothing any more; one that is opened later has another.',
});
