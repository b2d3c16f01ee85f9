import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { isRestricted, tokenRestricted } from '../../identity/access-tokens/scopes.ts';
import {
  credentialRefusal,
  type Developer,
  type DeveloperReader,
  decorateDeveloper,
  limitCredential,
} from '../../identity/developers.ts';
import { type Fields, invalidField } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { repeatable } from '../../kernel/http/slow-bodies.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Role } from '../model/people.ts';
import { previewQuery } from './contract.ts';
import { messages } from './messages.ts';
import { includesRole, requiredRole, roleToPromoteFrom } from './roles.ts';
import type { Application, ApplicationStore } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Application that the request's URL names, with the environment (production or a preview) that the request is
     * about. The caller has access to it.
     */
    application: Application;
    /** Caller's role in the application, which allows the request's operation. */
    role: Role;
  }
}

/**
 * Creates an onRequest hook for routes with `:uuid`, an application's UUID, subdomain or name. It sets
 * `request.application`, `request.role` and `request.developer`. A missing or expired key is a 401, an unknown
 * application or preview a 404; an unknown key, a stranger's, one for another application and a role that does not allow
 * the operation (roles.ts) a 403. `requireDatabase` must run before it.
 */
export function authorizeApplication(
  server: Server,
  readDeveloper: DeveloperReader,
  store: Pick<ApplicationStore, 'find'>,
): onRequestAsyncHookHandler {
  decorateDeveloper(server);
  if (!server.app.hasRequestDecorator('application')) {
    server.app.decorateRequest('application', null as unknown as Application);
    server.app.decorateRequest('role', null as unknown as Role);
  }
  return repeatable(async (request, reply) => {
    const credential = await readDeveloper(request, reply);
    await limitCredential(server, request, reply, credential);
    if (typeof credential === 'string' && credential !== 'unknown') throw credentialRefusal(credential);
    const { uuid } = request.params as { uuid: string };
    const { preview } = readQuery(previewQuery, request.query as Fields);
    // A name is looked up only among applications that the developer has access to, so with an unknown key no name is
    // found.
    if (credential === 'unknown' && !isUuid(uuid)) throw notYours();
    const accountId = credential === 'unknown' ? undefined : credential.accountId;
    const application = await store.find(uuid, preview, accountId);
    if (!application) throw preview === undefined ? noSuchApplication() : noSuchPreview();
    const { role } = application;
    if (credential === 'unknown' || role === null) throw notYours();
    if (isForAnother(credential, application)) throw tokenRestricted();
    const required = requiredRoleOf(request);
    if (!includesRole(role, required)) {
      throw new Refusal(403, 'role_missing', messages.roleMissing(role, required));
    }
    request.developer = credential;
    request.application = application;
    request.role = role;
    reply.header('cache-control', 'no-store');
  });
}

/**
 * Finds the application whose release a request promotes to the request's application. An unknown name is a 404; a
 * stranger's application, one that the access token is not for, and a role that does not allow it (roles.ts) a 403.
 */
export async function authorizeSource(
  store: Pick<ApplicationStore, 'find'>,
  { application: target, developer }: Pick<FastifyRequest, 'application' | 'developer'>,
  named: string,
): Promise<Application> {
  const source = await store.find(named, undefined, developer.accountId);
  if (!source) throw noSuchApplication();
  if (source.role === null || isForAnother(developer, source)) throw notYours();
  if (source.application_uuid === target.application_uuid)
    throw invalidField('application', messages.sameApplication);
  const required = roleToPromoteFrom(source, target);
  if (!includesRole(source.role, required))
    throw new Refusal(403, 'role_missing', messages.roleMissingInSource(source.role, required));
  return source;
}

/**
 * Makes the check, for streams that are open for long, whether the request would still be allowed. It is allowed if the
 * application was deleted meanwhile: its streams end by themselves.
 */
export function createRecheck(
  readDeveloper: DeveloperReader,
  store: Pick<ApplicationStore, 'roleIn'>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  return async (request, reply) => {
    const { application, developer } = request;
    const credential = await readDeveloper(request, reply);
    if (typeof credential === 'string' || credential.accountId !== developer.accountId) return false;
    const role = await store.roleIn(application.application_uuid, credential.accountId);
    return role === undefined || (role !== null && includesRole(role, requiredRoleOf(request)));
  };
}

/** Makes the server refuse to start if a route about one application is not in the table of roles. */
export function requireRoles({ app }: Pick<Server, 'app'>, prefix: string): void {
  app.addHook('onRoute', ({ url, schema, method }) => {
    if (url !== prefix && !url.startsWith(`${prefix}/`)) return;
    const { operationId = '' } = schema ?? {};
    if (requiredRole(operationId) === undefined) {
      throw new Error(`${method} ${url} (${operationId}) has no role in hosting/applications/roles.ts`);
    }
  });
}

function requiredRoleOf({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): Role {
  return requiredRole(routeOptions.schema?.operationId ?? '') ?? 'owner';
}

/** True if the developer's access token is restricted to another application or to an event. */
function isForAnother({ grant }: Developer, { application_uuid }: Application): boolean {
  return grant !== undefined && isRestricted(grant) && grant.applicationId !== application_uuid;
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
