import type { FastifyReply } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { type ByLanguage, textInLanguage } from '../../kernel/field-types.ts';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { networkOf } from '../../kernel/http/client-address.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { alreadyAdmitted, type TransactOnce } from '../../kernel/writes/idempotency.ts';
import type { EventWriter } from '../events/write.ts';
import type { Shortfall } from '../guests/capacity/allocation.ts';
import { mapUrl } from '../invitation/maps.ts';
import { picturePath } from '../invitation/picture/addresses.ts';
import { textsIn } from '../invitation/words.ts';
import { guestCallerId } from '../retention/erase.ts';
import { answerSchema, type Invitation as Body, InvitedGuestBody, readInvitationSchema } from './contract.ts';
import { answerFields } from './fields.ts';
import { hebrewDateFor } from './hebrew-date.ts';
import { closedReason } from './input.ts';
import { mealsOffered } from './meals.ts';
import { guestPageWordsFor, messages } from './messages.ts';
import { mostPeopleWords } from './party-limit-words.ts';
import { findInvitation, type GuestInvitation, invitationAfterAnswer } from './store.ts';
import { submitAnswer } from './submit-answer.ts';

const PREFIX = '/api/rsvp';

export interface LinkParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  transactOnce: TransactOnce;
  clock: Clock;
  publicUrl: string;
}

/** Routes with the API of a guest's link, for clients other than the guest's page, such as the couple's own website. */
export function serveRsvpApi(
  { app, limit, requireDatabase }: Server,
  { db, writer, transactOnce, clock, publicUrl }: LinkParts,
): void {
  const find = async (token: string): Promise<GuestInvitation> => {
    const invitation = await findInvitation(db, token);
    if (!invitation) throw new Refusal(404, 'not_found', messages.noSuchLink);
    return invitation;
  };

  app.register(
    async (area: App) => {
      area.addHook('onRequest', async (request, reply) => {
        openToAnyOrigin(reply);
        if (request.method !== 'OPTIONS') await limit(request, reply, `guest:${networkOf(request)}`);
      });
      area.addHook('onRequest', requireDatabase);

      area.options('/:token', { schema: { hide: true } }, async (_request, reply) =>
        reply.code(204).send(null),
      );

      area.get('/:token', { schema: readInvitationSchema }, async ({ params }) =>
        bodyOf(await find(params.token), clock(), publicUrl),
      );

      area.post('/:token', { schema: answerSchema }, async (request, reply) => {
        const invitation = await find(request.params.token);
        return writer.inTurn(invitation.event.id, () =>
          transactOnce(
            request,
            reply,
            alreadyAdmitted(guestCallerId(invitation.guest.id)),
            async (through) => {
              const fields = fieldsAmong({ ...answerFields, ...InvitedGuestBody.properties }, request.body);
              const answered = await submitAnswer(writer, invitation, fields, through);
              const after = await invitationAfterAnswer(through, invitation, answered);
              const body = { ...bodyOf(after, clock(), publicUrl), ...shortOf(after, answered.short) };
              return { status: 200, body, about: invitation.event.id };
            },
          ),
        );
      });
    },
    { prefix: PREFIX },
  );
}

/**
 * Allows web pages of any origin to use the API of a guest's link. The token in the address is the only credential and
 * no cookie is sent, so a page can read nothing that it could not request anyway.
 */
function openToAnyOrigin(reply: FastifyReply): void {
  reply.headers({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type, idempotency-key',
    'access-control-max-age': '600',
    'cache-control': 'no-store',
  });
}

/** Says, in the words of the guest's page, that the guest's yes was recorded for fewer people than requested. */
function shortOf({ event, guest }: GuestInvitation, short: Shortfall | undefined): Pick<Body, 'short'> {
  if (short?.code !== 'fewer') return {};
  const { asked, upTo: most } = short;
  const language = guest.language ?? event.language_pref;
  const say = guestPageWordsFor(event, language);
  const message = `${say.askedFor(asked)} ${mostPeopleWords({ event, guest }, language)}`;
  return { short: { asked, most, message } };
}

function bodyOf({ event, guest }: GuestInvitation, now: Temporal.Instant, publicUrl: string): Body {
  const { language_pref, picture, questions, contact_phone, contact_email, online_url } = event;
  const { id: _guest, unsubscribed: _unsubscribed, ...answer } = guest;
  const language = guest.language ?? language_pref;
  const { picture_alt: _alt, ...texts } = textsIn(event, language);
  const words = (text: ByLanguage) => textInLanguage(text, language, language_pref);
  return {
    event: {
      ...texts,
      event_date: event.event_date?.toISOString() ?? null,
      hebrew_date: hebrewDateFor(event, language) || null,
      language: language_pref,
      children_asked: event.children_asked,
      meals_asked: mealsOffered(event, guest),
      names_asked: event.names_asked,
      questions: questions.map(({ id, kind, text, options, most }) => ({
        id,
        kind,
        most,
        text: words(text),
        options: options.map((option) => ({ id: option.id, text: words(option.text) })),
      })),
      map_url: mapUrl(event),
      contact_phone,
      contact_email,
      online_url,
      agenda: event.agenda.map((item) => ({
        ...item,
        starts_at: item.starts_at.toISOString(),
        ends_at: item.ends_at?.toISOString() ?? null,
      })),
      picture_url: picture && publicUrl + picturePath(picture.key, 'large'),
    },
    guest: { ...answer, language },
    answer_until: event.answer_until?.toISOString() ?? null,
    closed: closedReason(event, now) ?? null,
  };
}
