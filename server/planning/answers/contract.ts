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

/** Schemas about guests' answers: a guest's link, and the organizer's settings for answers and requests. */

const { title, venue_name, venue_address, description } = outputFields(eventFields);
const { contact_phone, contact_email, online_url } = outputFields(invitationFields);

/** Data of a guest that their personal link shows. */
export const InvitedGuestBody = Type.Object({
  name: Type.String(),
  language: enumSchema(LANGUAGE_NAMES, { description: 'The guest’s language, else the event’s.' }),
  party_size: Type.Integer({ description: 'People invited.' }),
  party_children: Type.Integer({ description: 'Children among them.' }),
  coming: Type.Integer(),
  coming_children: Type.Integer({ description: 'Children among them.' }),
  ...outputFields(ownFields),
  rsvp_status: enumSchema(RSVP_STATUSES),
  maybe: Type.Boolean({ description: 'The guest doesn’t know yet; `rsvp_status` is then `pending`.' }),
  waiting: Type.Boolean({ description: 'The guest said yes and is on the waiting list.' }),
  up_to: orNullSchema<number>({
    type: 'integer',
    description:
      'Maximum number of people for whom they can have places now; null: no limit below the general maximum.',
  }),
  may_bring: orNullSchema<number>({
    type: 'integer',
    description: 'People whom they may bring beyond `party_size`; null: no limit but that of free places.',
  }),
});

export const Invitation = Type.Object(
  {
    event: Type.Object({
      title: { ...title, description: 'In the guest’s language, like all texts about the event.' },
      event_date: dateTimeOrNullSchema(),
      hebrew_date: textOrNullSchema({
        description: 'In the guest’s language; null in Arabic, and if the event shows none.',
      }),
      venue_name,
      venue_address,
      description,
      language: enumSchema(LANGUAGE_NAMES),
      children_asked: Type.Boolean({
        description: 'Whether guests are asked how many of them are children.',
      }),
      meals_asked: Type.Array(enumSchema(DIETS), {
        description:
          'Special meals that guests can choose; empty if the event asks for neither meals nor allergies.',
      }),
      names_asked: Type.Boolean({ description: 'Whether guests are asked for `members`.' }),
      questions: Type.Array(
        Type.Object({
          id: uuidSchema(),
          kind: enumSchema(QUESTION_KINDS),
          text: Type.String(),
          options: Type.Array(Type.Object({ id: Type.String(), text: Type.String() }), {
            description: 'Options of a choice.',
          }),
          most: orNullSchema<number>({ type: 'integer', description: 'Largest accepted number.' }),
        }),
        {
          description:
            'Questions to guests who come, in the guest’s language; the answers are sent in `answers`.',
        },
      ),
      map_url: textOrNullSchema({ format: 'uri', description: 'null: the event has no location for a map.' }),
      hosts: textOrNullSchema({ description: 'The hosts.' }),
      contact_name: textOrNullSchema({ description: 'Contact for guests.' }),
      contact_phone,
      contact_email,
      online_url,
      agenda: Type.Array(Type.Object(outputFields(agendaFields))),
      picture_url: textOrNullSchema({
        format: 'uri',
        description: 'Picture of the invitation, at most 1440 by 2160.',
      }),
    }),
    guest: InvitedGuestBody,
    answer_until: dateTimeOrNullSchema('Deadline for answers; null: until the event begins.'),
    closed: enumOrNullSchema(CLOSED_REASONS, {
      description: 'Reason why no answers are accepted now; null: they are accepted.',
    }),
    short: Type.Optional(
      Type.Object(
        {
          asked: Type.Integer({ description: 'Number of people in the answer.' }),
          most: Type.Integer({ description: 'Number of people who can come now.' }),
          message: Type.String({ description: 'Sentence for the guest, in their language.' }),
        },
        { description: 'Only right after a yes that was accepted for fewer people.' },
      ),
    ),
  },
  { $id: 'Invitation' },
);
export type Invitation = Static<typeof Invitation>;

export const RsvpSettings = Type.Object(
  {
    ...outputFields(settingsFields),
    open_url: textOrNullSchema({ description: 'Address of the open link; null while it is closed.' }),
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
    url: Type.String({ description: 'Personal link. Anybody who has it can answer for the guest.' }),
    message: textOrNullSchema({
      description:
        'Message ready to send, in the guest’s language and depending on their answer; null while the event is not published.',
    }),
    whatsapp_url: textOrNullSchema({
      description: 'Link that opens WhatsApp with the message; null without a message or a mobile number.',
    }),
  },
  { $id: 'GuestLink' },
);
export type GuestLink = Static<typeof GuestLink>;

export const REQUEST_STATUSES = ['waiting', 'accepted', 'declined'] as const;

/**
 * Values that can be the same in two requests, or in a request and a guest, and mark them as similar. The most reliable
 * value comes first.
 */
export const MATCHED_BY = ['phone', 'email', 'name'] as const;

export const GuestRequest = Type.Object(
  {
    id: uuidSchema(),
    ...outputFields(askerFields),
    language: textOrNullSchema(),
    coming: Type.Integer(),
    answers: outputFields(ownFields).answers,
    status: enumSchema(REQUEST_STATUSES),
    guest_id: textOrNullSchema({ description: 'Guest who was made of the request.' }),
    may_be: Type.Array(
      Type.Object({
        what: enumSchema(['guest', 'request']),
        id: uuidSchema(),
        name: Type.String(),
        by: enumSchema(MATCHED_BY),
      }),
      {
        description:
          'While the request waits: at most five guests and five requests with the same phone, email or name.',
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
const tokenParam = Type.Object({
  token: Type.String({ description: 'Token of the guest’s personal link.' }),
});
const publicRoute = { tags: ['rsvp'], security: [] };
const shownInvitation = Type.Unsafe<Invitation>({
  description: 'The invitation and the current answer.',
  content: { 'application/json': { schema: { $ref: 'Invitation#' } } },
});

export const readInvitationSchema = {
  ...publicRoute,
  operationId: 'readInvitation',
  summary: 'Read an invitation',
  description: 'Needs only the token of the link, and can be called from any origin.',
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
    'Can be repeated until the organizer’s deadline. A yes without enough free places joins the waiting list; if they are ' +
    'enough for the invited people alone, it is accepted for `party_size`, and `short` tells so. A guest who has places ' +
    'and asks for more than are free keeps them and gets a 409, with the possible number in `up_to`, and the guest’s limit in `may_bring` if that is the reason. Children, meals, ' +
    'allergies and names that the event does not ask for are a 400, as are more meals than people and more children’s meals than children.',
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
    409: 'Answers are closed, or fewer places are free than asked for.',
    413: true,
    415: true,
    422: true,
  }),
};

const tags = ['guests'];
const settings = eventRecordFrames({ tags, key: 'settings', params: eventParam, record: RsvpSettings });

export const readSettingsSchema = settings.read({
  operationId: 'readRsvpSettings',
  summary: 'Read the settings for answers',
  answer: 'The settings, or the defaults.',
});

export const updateSettingsSchema = settings.replace(
  {
    operationId: 'updateRsvpSettings',
    summary: 'Change the settings for answers',
    description:
      'Partial: an absent field keeps its value. `open` without a `slug` generates one; a replaced slug becomes available again.',
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
  summary: 'Read a guest’s personal link',
  description: 'The same link each time until it is revoked. Only for people who may edit the event.',
  answer: 'The link and, once the event is published, a message to send with it.',
});

export const sampleQuery = { language: asked(LANGUAGE_NAMES) };

export const samplePageSchema = organizerFrames.get({
  tags,
  operationId: 'readSamplePage',
  summary: 'Read a sample guest page',
  description: 'The page as a guest without an answer would see it, also of a draft; its form can’t be sent.',
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
  description: 'It stops working at once. The next read returns a new link.',
});

export const linkFilter = { ...guestFilter, all: flag() };

// Unlike other lists, the list of guests' links has no total number, because a link is created only when it is read.
export const listLinksSchema = eventFrames(tags).get(
  {
    operationId: 'listGuestLinks',
    summary: 'List links to send by hand',
    description:
      'Links of guests with a phone number and, unless `all` is true, no email address. Once the event is published, each has a message ready to send and a WhatsApp link.',
    querystring: queryOf({ ...pageQuery, ...linkFilter }),
  },
  Type.Object(
    {
      links: Type.Array(schemaRef(GuestLink)),
      page: Type.Integer(),
      limit: Type.Integer(),
      more: Type.Boolean({ description: 'True if there is a next page.' }),
    },
    { title: 'GuestLinkPage', description: 'A page of links, sorted by the guests’ names.' },
  ),
);

const params = eventRecordParams('requestId', 'The request.');
const requests = eventRecordFrames(
  { tags, key: 'request', params, record: GuestRequest },
  unversionedAnswer(GuestRequest, 'request'),
);
const DECIDED = { 409: 'The request has already been decided.' };

export const requestFilter = { status: asked(REQUEST_STATUSES) };

export const listRequestsSchema = requests.page(
  {
    operationId: 'listGuestRequests',
    summary: 'List requests through the open link',
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
    'The person becomes a guest who said yes: with places if enough are free, else on the waiting list. Their party is ' +
    'limited to `most_each` (by `max_plus_ones`, which can be changed as for any guest). For a person who is on the list ' +
    'already, by phone or email, the request is their answer; their limit stays.',
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
    'Declines waiting requests by id or filter, for example a flood of spam through the link. Nobody is notified by mail.',
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
      { declined: Type.Integer({ description: 'Number of declined requests.' }) },
      { title: 'DeclinedRequests', description: 'Number of declined requests.' },
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
