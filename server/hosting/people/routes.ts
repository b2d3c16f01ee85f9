import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { type DeveloperReader, keyNeededRefusal } from '../../identity/developers.ts';
import { languageOfAddress } from '../../identity/notifications/store.ts';
import type { Person as SharedPerson } from '../../identity/sharing/shared-with.ts';
import type { User, UserStore } from '../../identity/store.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsAmong, invalidField } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { refuseStopped, tooManyMailsRefusal } from '../../kernel/mail/refusals.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import { authorizeApplication, noSuchApplication } from '../applications/access.ts';
import { makeChange, newFields } from '../applications/changes.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { messages as deploying } from '../deployments/messages.ts';
import type { SharedRole } from '../model/people.ts';
import { changeSchema, inviteSchema, listSchema, MOST_PEOPLE, Person, removeSchema } from './contract.ts';
import { personFields, roleField } from './fields.ts';
import { invitationMail } from './letter.ts';
import { messages } from './messages.ts';
import { lockPeople, people, withPending } from './store.ts';

export interface PeopleParts {
  db: Kysely<unknown>;
  applications: Pick<ApplicationStore, 'find'>;
  users: Pick<UserStore, 'find'>;
  mail: Mail;
  publicUrl: string;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Serves the people with whom an application is shared: `/api/v1/applications/{uuid}/people`. */
export function servePeople(server: Server, parts: PeopleParts): void {
  server.app.addSchema(Person);
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, parts.readDeveloper, parts.applications));
      serveList(app, parts);
      serveInvitation(app, server, parts);
      serveRole(app, parts);
      serveRemoval(app, parts);
    },
    { prefix: `${PREFIX}/:uuid/people` },
  );
}

function serveList(app: App, { db }: PeopleParts): void {
  app.get('', { schema: listSchema }, async ({ application }) => ({
    people: await withPending(db, await people.list(db, application.application_uuid)),
  }));
}

function serveInvitation(app: App, server: Server, parts: PeopleParts): void {
  const { users, mail, publicUrl, clock } = parts;

  app.post('', { schema: inviteSchema }, async (request, reply) => {
    const { application, developer, body, headers } = request;
    if (!developer.verified) throw new Refusal(403, 'unverified', deploying.notVerified);
    const owner = await users.find(developer.accountId);
    if (!owner) throw keyNeededRefusal();
    // Each invitation sends mail to a stranger, so the limit is as many invitations as a person could make by hand.
    await server.strictLimit(request, reply, `invitations of ${owner.user_id}`);
    const invitation = readWhole(personFields, fieldsAmong(personFields, body));
    if (invitation.email === owner.email.toLowerCase()) throw invalidField('email', messages.yourself);
    return makeChange(parts, request, reply, async (transaction) => {
      await lock(transaction, application.application_uuid);
      const added = await people.add(transaction, application.application_uuid, invitation, clock());
      if (added === 'full') throw new Refusal(400, 'too_many', messages.tooMany(MOST_PEOPLE));
      if (added === 'there') throw new Refusal(409, 'duplicate', messages.alreadyThere);
      const { person } = added;
      const language =
        (await languageOfAddress(transaction, person.email)) ??
        preferredLanguage(headers['accept-language'], 'en');
      const letter = invitationMail({ person, application, inviter: owner.email }, language, publicUrl);
      await sendInvitation(mail, transaction, owner, { letter, topic: application.application_uuid });
      const [body] = await withPending(transaction, [person]);
      const location = `${PREFIX}/${application.application_uuid}/people/${person.id}`;
      const history = { subject: person.email, changes: newFields({ role: person.role }) };
      return { status: 201, headers: { location }, body: body as Person, history };
    });
  });
}

/** Queues an invitation mail, at the expense of the owner's mail budget. */
async function sendInvitation(
  mail: Mail,
  transaction: Kysely<unknown>,
  { user_id: id, registered_at }: User,
  { letter, topic }: { letter: ReturnType<typeof invitationMail>; topic: string },
): Promise<void> {
  await refuseStopped(mail, transaction, id);
  const sender = { id, since: Temporal.Instant.from(registered_at) };
  const sent = await mail.enqueue(transaction, letter, { urgency: 'ordinary', sender, topic });
  if (sent === undefined) throw tooManyMailsRefusal(await mail.forecast(transaction, sender, 1), 1);
}

function serveRole(app: App, parts: PeopleParts): void {
  const { clock } = parts;
  app.patch('/:person', { schema: changeSchema }, async (request, reply) => {
    const { role } = readWhole(roleField, fieldsAmong(roleField, request.body));
    return makeChange(parts, request, reply, async (transaction) => {
      const before = await findPerson(transaction, request);
      const { person } =
        before.role === role
          ? { person: before }
          : await people.change(transaction, before.id, role, clock());
      const [body] = await withPending(transaction, [person]);
      const changes = changesBetween({ role: before.role }, { role }) ?? {};
      return { status: 200, body: body as Person, history: { subject: person.email, changes } };
    });
  });
}

function serveRemoval(app: App, parts: PeopleParts): void {
  const { users } = parts;
  app.delete('/:person', { schema: removeSchema }, async (request, reply) => {
    const { developer, role } = request;
    const caller = await users.find(developer.accountId);
    return makeChange(parts, request, reply, async (transaction) => {
      const person = await findPerson(transaction, request);
      const isLeaving = person.email === caller?.email.toLowerCase();
      if (role !== 'owner' && !isLeaving) {
        throw new Refusal(403, 'role_missing', messages.onlyOwnerRemoves);
      }
      await people.remove(transaction, person.id);
      return { status: 204, body: null, history: { subject: person.email } };
    });
  });
}

async function lock(transaction: Kysely<unknown>, applicationId: string): Promise<void> {
  if (!(await lockPeople(transaction, applicationId))) throw noSuchApplication();
}

/** Person that a request names, locked until the transaction ends. Throws a 404 if there is none. */
async function findPerson(
  transaction: Kysely<unknown>,
  { params, application }: FastifyRequest,
): Promise<SharedPerson<'role', SharedRole>> {
  const { person: named } = params as { person: string };
  await lock(transaction, application.application_uuid);
  const found = await people.lock(transaction, application.application_uuid, named);
  if (!found) throw new Refusal(404, 'not_found', messages.notFound);
  return found.person;
}
