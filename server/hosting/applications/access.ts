import type { onRequestAsyncHookHandler } from 'fastify';
import {
  type DeveloperReader,
  decorateDeveloper,
  keyNeededRefusal,
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
     * Application that the request's URL names, which belongs to the caller, with the environment that the request is
     * about.
     */
    application: Application;
  }
}

/**
 * Creates an onRequest hook for routes with `:uuid`, which sets `request.application` and `request.developer`. A
 * missing key is a 401, an unknown application or preview a 404, an unknown key or somebody else's a 403.
 * `requireDatabase` must run before it.
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
    if (credential === 'none') throw keyNeededRefusal();
    const { uuid } = request.params as { uuid: string };
    const { preview } = readQuery(previewQuery, request.query as Fields);
    const application = isUuid(uuid) ? await store.find(uuid, preview) : undefined;
    if (!application) throw preview === undefined ? noSuchApplication() : noSuchPreview();
    if (credential === 'unknown' || credential.accountId !== application.owner_id) {
      throw new Refusal(403, 'forbidden', messages.notYours);
    }
    request.developer = credential;
    request.application = application;
    reply.header('cache-control', 'no-store');
  };
}

export function noSuchPreview(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchPreview);
}

export function noSuchApplication(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchApplication);
}
