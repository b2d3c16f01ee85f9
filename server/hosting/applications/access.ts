import type { onRequestAsyncHookHandler } from 'fastify';
import { isRestricted } from '../../identity/access-tokens/scopes.ts';
import {
  credentialRefusal,
  type Developer,
  type DeveloperReader,
  decorateDeveloper,
  limitCredential,
} from '../../identity/developers.ts';
import type { Fields } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { previewQuery } from './contract.ts';
import { messages } from './messages.ts';
import type { Application, ApplicationStore } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The caller's own application that the request's URL names, with the environment (production or a preview) that
     * the request is about.
     */
    application: Application;
  }
}

/**
 * Creates an onRequest hook for routes with `:uuid`, an application's UUID, subdomain or name. It sets
 * `request.application` and `request.developer`. A missing or expired key is a 401, an unknown application or preview a
 * 404, an unknown key, somebody else's or one for another application a 403. `requireDatabase` must run before it.
 */
export function ownApplication(
  server: Server,
  readDeveloper: DeveloperReader,
  store: Pick<ApplicationStore, 'find'>,
): onRequestAsyncHookHandler {
  decorateDeveloper(server);
  if (!server.app.hasRequestDecorator('application')) {
    server.app.decorateRequest('application', null as unknown as Application);
  }
  return async (request, reply) => {
    const credential = await readDeveloper(request, reply);
    await limitCredential(server, request, reply, credential);
    if (typeof credential === 'string' && credential !== 'unknown') throw credentialRefusal(credential);
    const { uuid } = request.params as { uuid: string };
    const { preview } = readQuery(previewQuery, request.query as Fields);
    // A name is looked up only among the developer's own applications, so with an unknown key no name is found.
    if (credential === 'unknown' && !isUuid(uuid)) throw notYours();
    const owner = credential === 'unknown' ? undefined : credential.accountId;
    const application = await store.find(uuid, preview, owner);
    if (!application) throw preview === undefined ? noSuchApplication() : noSuchPreview();
    if (credential === 'unknown' || !isAllowed(credential, application)) throw notYours();
    request.developer = credential;
    request.application = application;
    reply.header('cache-control', 'no-store');
  };
}

/**
 * True if an application is the developer's own, and the developer's access token is not restricted to another
 * application or to an event.
 */
function isAllowed({ accountId, grant }: Developer, application: Application): boolean {
  if (accountId !== application.owner_id) return false;
  return !grant || !isRestricted(grant) || grant.applicationId === application.application_uuid;
}

function notYours(): Refusal {
  return new Refusal(403, 'forbidden', messages.notYours);
}

export function noSuchPreview(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchPreview);
}

export function noSuchApplication(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchApplication);
}
