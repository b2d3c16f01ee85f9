import { type Static, Type } from 'typebox';
import { exampleOf } from '../../kernel/field-types.ts';
import { bodyOf, inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { headersOf, namedSchema, queryOf, recordAnswer } from '../../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  dateTimeSchema,
  enumOrNullSchema,
  enumSchema,
  orNullSchema,
  schemaRef,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { pageQuery } from '../../kernel/paging.ts';
import { oneOf as asked, flag } from '../../kernel/query-types.ts';
import { idempotencyHeader } from '../../kernel/writes/idempotency.ts';
import { agendaFields } from '../agenda/fields.ts';
import {
  eventErrors,
  eventFrames,
  eventParam,
  eventRecordFrames,
  eventRecordParams,
  hebrewErrors,
  organizerFrames,
  unversionedAnswer,
} from '../events/area.ts';
import { eventFields } from '../events/fields.ts';
import { Guest, guestParams, guestWarnings } from '../guests/contract.ts';
import { DIETS, ownFields, RSVP_STATUSES } from '../guests/fields.ts';
import { guestFilter } from '../guests/filter.ts';
import { invitationFields } from '../invitation/fields.ts';
import { QUESTION_KINDS } from '../questions/fields.ts';
import { answerFields, askerFields, requestSelectionFields, settingsFields } from './fields.ts';
import { CLOSED_REASONS } from './input.ts';

/** Schemas of answering: a guest's link, and the organizer's settings for answers and requests. */

const { title, venue_name, venue_address, description } = outputFields(eventFields);
const { contact_phone, contact_email, online_url } = outputFields(invitationFields);

/** Guest as their personal link shows them. */
export const InvitedGuestBody = Type.Object({
  name: Type.String(),
  language: enumSchema(LANGUAGE_NAMES, { description: 'The guest’s own, else the event’s.' }),
  party_size: Type.Integer({ description: 'People invited.' }),
  party_children: Type.Integer({ description: 'How many of them are children.' }),
  coming: Type.Integer(),
  coming_children: Type.Integer({ description: 'How many of them are children.' }),
  ...outputFields(ownFields),
  rsvp_status: enumSchema(RSVP_STATUSES),
  maybe: Type.Boolean({ description: 'They don’t know yet; `rsvp_status` is pending then.' }),
  waiting: Type.Boolean({ description: 'Said yes, and there is no place yet.' }),
  up_to: orNullSchema<number>({
    type: 'integer',
    description: 'The most people with whom they can have places now; null: no fewer than may come at all.',
  }),
});

export const Invitation = Type.Object(
  {
    event: Type.Object({
      title: { ...title, description: 'In the guest’s language, as all that is said of the event.' },
      event_date: dateTimeOrNullSchema(),
      hebrew_date: textOrNullSchema({
        description: 'In the guest’s language; null in Arabic, and where the event tells none.',
      }),
      venue_name,
      venue_address,
      description,
      language: enumSchema(LANGUAGE_NAMES),
      children_asked: Type.Boolean({
        description: 'Whether guests say how many of them are children.',
      }),
      meals_asked: Type.Array(enumSchema(DIETS), {
        description:
          'The meals that can differ from the event’s own kitchen; none: neither is asked for, nor are allergies.',
      }),
      questions: Type.Array(
        Type.Object({
          id: uuidSchema(),
          kind: enumSchema(QUESTION_KINDS),
          text: Type.String(),
          options: Type.Array(Type.Object({ id: Type.String(), text: Type.String() }), {
            description: 'Of a choice.',
          }),
          most: orNullSchema<number>({ type: 'integer', description: 'Of a number.' }),
        }),
        { description: 'What the event asks who comes, in the guest’s language; they answer in `answers`.' },
      ),
      map_url: textOrNullSchema({ format: 'uri', description: 'null where there is no place to be found.' }),
      hosts: textOrNullSchema({ description: 'Who invites.' }),
      contact_name: textOrNullSchema({ description: 'Whom guests ask.' }),
      contact_phone,
      contact_email,
      online_url,
      agenda: Type.Array(Type.Object(outputFields(agendaFields))),
      picture_url: textOrNullSchema({ format: 'uri', description: 'The picture, at most 1440 by 2160.' }),
    }),
    guest: InvitedGuestBody,
    answer_until: dateTimeOrNullSchema('The last moment to answer; null: until the event begins.'),
    closed: enumOrNullSchema(CLOSED_REASONS, {
      description: 'Why no answer is taken now; null: answers are welcome.',
    }),
    short: Type.Optional(
      Type.Object(
        {
          asked: Type.Integer({ description: 'People the answer was for.' }),
          most: Type.Integer({ description: 'So many may come now.' }),
          message: Type.String({ description: 'The same for the guest, in their language.' }),
        },
        { description: 'Right after a yes that was taken for fewer people than it said.' },
      ),
    ),
  },
  { $id: 'Invitation' },
);
export type Invitation = Static<typeof Invitation>;

export const RsvpSettings = Type.Object(
  {
    ...outputFields(settingsFields),
    open_url: textOrNullSchema({ description: 'The open link, while it is open.' }),
  },
  {
    $id: 'RsvpSettings',
    examples: [{ ...exampleOf(settingsFields), open_url: 'https://simcha.example.com/e/noa-and-itay' }],
  },
);
export type RsvpSettings = Static<typeof RsvpSettings>;

export const GuestLink = Type.Object(
  {
    guest_id: uuidSchema(),
    name: Type.String(),
    phone: textOrNullSchema(),
    url: Type.String({ description: 'Whoever has it answers for the guest.' }),
    message: textOrNullSchema({
      description:
        'Ready to send, in the guest’s language and by what they answered; null while the event is not published.',
    }),
    whatsapp_url: textOrNullSchema({
      description: 'Opens WhatsApp with the message; null without one, or without a mobile number.',
    }),
  },
  { $id: 'GuestLink' },
);
export type GuestLink = Static<typeof GuestLink>;

export const REQUEST_STATUSES = ['waiting', 'accepted', 'declined'] as const;

/** Values by which a request may match another request or a guest, the most reliable first. */
export const MATCHED_BY = ['phone', 'email', 'name'] as const;

export const GuestRequest = Type.Object(
  {
    id: uuidSchema(),
    ...outputFields(askerFields),
    language: textOrNullSchema(),
    coming: Type.Integer(),
    answers: outputFields(ownFields).answers,
    status: enumSchema(REQUEST_STATUSES),
    guest_id: textOrNullSchema({ description: 'The guest it became.' }),
    may_be: Type.Array(
      Type.Object({
        what: enumSchema(['guest', 'request']),
        id: uuidSchema(),
        name: Type.String(),
        by: enumSchema(MATCHED_BY),
      }),
      {
        description:
          'While it waits: whose number, address or name it has, five guests and five requests at most. Accepted, it answers for the guest whose number or address it is.',
      },
    ),
    created_at: dateTimeSchema(),
    decided_at: dateTimeOrNullSchema(),
  },
  { $id: 'GuestRequest' },
);
export type GuestRequest = Static<typeof GuestRequest>;

export const sharedSchemas = [Invitation, RsvpSettings, GuestLink, GuestRequest];

const publicErrors = { 404: true, 429: true, 500: true, 503: true } as const;
const tokenParam = Type.Object({ token: Type.String({ description: 'Of the guest’s personal link.' }) });
const publicRoute = { tags: ['rsvp'] };
const shownInvitation = Type.Unsafe<Invitation>({
  description: 'The invitation, and the answer as it stands.',
  content: { 'application/json': { schema: { $ref: 'Invitation#' } } },
});

export const readInvitationSchema = {
  ...publicRoute,
  operationId: 'readInvitation',
  summary: 'What a guest’s link shows',
  description: 'Needs no token but the link’s own. From any origin.',
  params: tokenParam,
  response: {
    200: shownInvitation,
  },
  errors: hebrewErrors(publicErrors),
};

export const answerSchema = {
  ...publicRoute,
  operationId: 'answerInvitation',
  summary: 'Answer an invitation',
  description:
    'May be repeated until the organizer’s date. A yes beyond the places is put on the waiting list; where there are ' +
    'enough for those invited alone, it is taken for `party_size`, and `short` says so. Whoever has places and asks for more than there are ' +
    'keeps them and gets a 409. `up_to` says how many there are. Children, meals and allergies that the event does not ' +
    'ask for are a 400, as are more meals than people who come, and more children’s meals than children.',
  params: tokenParam,
  headers: headersOf(idempotencyHeader),
  body: bodyOf(answerFields, {
    additionalProperties: false,
    title: 'Answer',
    examples: [{ rsvp_status: 'confirmed', coming: 4, coming_children: 2, vegan: 1, message: 'מזל טוב!' }],
  }),
  response: {
    200: shownInvitation,
  },
  errors: hebrewErrors({
    ...publicErrors,
    400: true,
    409: 'No answer is taken any more, or there are fewer places than asked for.',
    413: true,
    415: true,
    422: true,
  }),
};

const tags = ['guests'];
const settings = eventRecordFrames({ tags, key: 'settings', params: eventParam, record: RsvpSettings });

export const readSettingsSchema = settings.read({
  operationId: 'readRsvpSettings',
  summary: 'Read how guests answer',
  answer: 'The settings, or what holds without any.',
});

export const updateSettingsSchema = settings.replace(
  {
    operationId: 'updateRsvpSettings',
    summary: 'Decide how guests answer',
    description:
      'Partial: an absent field keeps its value. `open` without a `slug` makes one up; a slug is free again when replaced.',
    errors: { 409: 'Another event has this slug.' },
  },
  Type.Object(inputFields(settingsFields), {
    additionalProperties: false,
    examples: [{ answer_until: '2027-06-01T23:59', open: true, slug: 'noa-and-itay' }],
  }),
);

const links = eventRecordFrames(
  { tags, key: 'link', params: guestParams, record: GuestLink },
  unversionedAnswer(GuestLink, 'link'),
);

export const readLinkSchema = links.read({
  operationId: 'readGuestLink',
  summary: 'A guest’s personal link',
  description: 'The same one each time until it is revoked. For those who may edit the event.',
  answer: 'The link, and, once the event is published, a message to send it with.',
});

export const sampleQuery = { language: asked(LANGUAGE_NAMES) };

export const samplePageSchema = organizerFrames.get({
  tags,
  operationId: 'readSamplePage',
  summary: 'How guests see the event',
  description:
    'A guest’s page as somebody who has not answered would see it, of a draft too: nothing can be sent from it. In the event’s language, unless `language` says another.',
  params: eventParam,
  querystring: queryOf(sampleQuery),
  response: {
    200: Type.Unsafe<string>({
      description: 'The page.',
      content: { 'text/html': { schema: { type: 'string' } } },
    }),
  },
  errors: eventErrors,
});

export const revokeLinkSchema = links.remove({
  operationId: 'revokeGuestLink',
  summary: 'Revoke a guest’s personal link',
  description: 'It stops working at once; the next one read is another one.',
});

export const linkFilter = { ...guestFilter, all: flag() };

// Pages of links have no total, unlike other pages: links are created when they are read.
export const listLinksSchema = eventFrames(tags).get(
  {
    operationId: 'listGuestLinks',
    summary: 'Links to send by hand',
    description:
      'Of guests with a phone number and no email address, unless `all` is true: each with a ready message and a WhatsApp link, once the event is published.',
    querystring: queryOf({ ...pageQuery, ...linkFilter }),
  },
  Type.Object(
    {
      links: Type.Array(schemaRef(GuestLink)),
      page: Type.Integer(),
      limit: Type.Integer(),
      more: Type.Boolean({ description: 'Whether there is a next page.' }),
    },
    { title: 'GuestLinkPage', description: 'A page of links, by the guests’ names.' },
  ),
);

const params = eventRecordParams('requestId', 'The request.');
const requests = eventRecordFrames(
  { tags, key: 'request', params, record: GuestRequest },
  unversionedAnswer(GuestRequest, 'request'),
);
const DECIDED = { 409: 'The request is decided already.' };

export const requestFilter = { status: asked(REQUEST_STATUSES) };

export const listRequestsSchema = requests.page(
  {
    operationId: 'listGuestRequests',
    summary: 'List who asked to come through the open link',
    answer: 'A page of requests, the oldest first.',
  },
  'requests',
  requestFilter,
);

export const acceptRequestSchema = organizerFrames.post({
  tags,
  operationId: 'acceptGuestRequest',
  summary: 'Accept a request',
  description:
    'The person becomes a guest who said yes: with places where there are enough, else on the waiting list. ' +
    'They come with at most `most_each` from then on (`max_plus_ones`, which may be changed as any guest’s). ' +
    'Who is on the list already, by phone or email, answers so, and keeps the limit they had.',
  params,
  response: {
    200: Type.Object(
      { request: schemaRef(GuestRequest), guest: schemaRef(Guest), warnings: guestWarnings },
      { title: 'AcceptedRequest', description: 'The request and the guest it became.' },
    ),
  },
  errors: { ...eventErrors, ...DECIDED },
});

export const declineRequestsSchema = organizerFrames.post({
  tags,
  operationId: 'declineGuestRequests',
  summary: 'Decline many requests at once',
  description:
    'Those that wait, by their ids or by a filter: what nobody meant, such as a flood by somebody who found the link. Nobody is told of it by mail.',
  params: eventParam,
  body: namedSchema(
    'RequestsToDecline',
    Type.Object(inputFields(requestSelectionFields), {
      additionalProperties: false,
      examples: [{ filter: {} }, { filter: { same_network_as: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2d01' } }],
    }),
  ),
  response: {
    200: Type.Object(
      { declined: Type.Integer({ description: 'Requests that waited, and are declined now.' }) },
      { title: 'DeclinedRequests', description: 'How many.' },
    ),
  },
  errors: eventErrors,
});

export const declineRequestSchema = organizerFrames.post({
  tags,
  operationId: 'declineGuestRequest',
  summary: 'Decline a request',
  params,
  response: { 200: recordAnswer(GuestRequest, 'request', 'The request.') },
  errors: { ...eventErrors, ...DECIDED },
});
