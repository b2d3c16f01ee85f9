import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Server } from '../../kernel/http/app.ts';
import type { Jobs } from '../../kernel/jobs.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { onPage, readPage } from '../../kernel/paging.ts';
import type { Links } from '../answers/personal-links.ts';
import { languageOf, serveArea } from '../events/area.ts';
import type { EventDoor } from '../events/write.ts';
import {
  InvitationRound,
  InvitedGuest,
  listInvitedSchema,
  listRoundsSchema,
  readRoundSchema,
  sendSchema,
} from './contract.ts';
import { readNewRound } from './fields.ts';
import { createInvitationStore } from './store.ts';
import { writeMails } from './work.ts';

export interface InvitationParts {
  db: Kysely<unknown>;
  jobs: Jobs;
  mail: Mail;
  links: Links;
  door: EventDoor;
  authenticate: onRequestAsyncHookHandler;
}

/** Invitations and reminders by mail, and what became of them. */
export function serveInvitations(server: Server, parts: InvitationParts): void {
  const { db, jobs, mail, links, door, authenticate } = parts;
  for (const schema of [InvitationRound, InvitedGuest]) server.app.addSchema(schema);
  const queue = jobs.queue<{ id: string }>('invitations', { retries: 20 }, ({ data, signal }) =>
    writeMails({ db, mail, links }, data.id, signal),
  );
  const store = createInvitationStore(db, mail, (id, transaction) => queue.send({ id }, { transaction }));

  serveArea(server, authenticate, '/api/events/:id/invitations', (area) => {
    area.post('', { schema: sendSchema }, (request, reply) =>
      door.change(request, reply, async (write) => {
        const invitation = await store.add(write, readNewRound(request.body));
        const location = `/api/events/${write.event.id}/invitations/${invitation.id}`;
        return { status: 202, headers: { location }, body: { invitation } };
      }),
    );

    area.get('', { schema: listRoundsSchema }, async ({ caller, params, query }) => {
      const page = readPage(query);
      return onPage(page, await store.list(caller, params.id, page));
    });

    area.get('/:invitationId', { schema: readRoundSchema }, async ({ caller, params }) => ({
      invitation: await store.read(caller, params.id, params.invitationId),
    }));

    area.get('/:invitationId/guests', { schema: listInvitedSchema }, async (request) => {
      const { caller, params } = request;
      const page = readPage(request.query);
      const language = languageOf(request);
      return onPage(page, await store.guests(caller, params.id, params.invitationId, page, language));
    });
  });
}
