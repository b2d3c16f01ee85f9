import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { toStorableText } from '../../kernel/database/storable.ts';
import { readWhole } from '../../kernel/field-types.ts';
import { fieldsOf, invalidField, refuseUnknown } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { TransactOnce } from '../../kernel/writes/idempotency.ts';
import { authorizeApplication, noSuchPreview } from '../applications/access.ts';
import { siteAddress } from '../applications/address.ts';
import { makeChange, newFields, variableChanges } from '../applications/changes.ts';
import { PREFIX } from '../applications/routes.ts';
import { requireRepository } from '../applications/source.ts';
import type { ApplicationStore, EnvironmentName } from '../applications/store.ts';
import { messages as deploying } from '../deployments/messages.ts';
import {
  listSchema,
  openSchema,
  type PreviewRecord,
  readSchema,
  removeSchema,
  sharedSchemas,
} from './contract.ts';
import { previewFields } from './fields.ts';
import { messages } from './messages.ts';
import type { Preview, PreviewStore } from './store.ts';

export interface PreviewRouteParts {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'appsPort'>;
  store: PreviewStore;
  requestDeployment(environment: EnvironmentName, through: Kysely<unknown>): Promise<unknown>;
  /** Called after a preview was removed; resolves when this server's gateway no longer serves the preview. */
  onRemoved: (environment: EnvironmentName) => Promise<void>;
  applications: Pick<ApplicationStore, 'find' | 'changeVariables'>;
  readDeveloper: DeveloperReader;
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Serves previews, the sites of branches: `/api/v1/applications/{uuid}/previews`. */
export function servePreviews(server: Server, parts: PreviewRouteParts): void {
  const { config, store, requestDeployment, onRemoved, applications, readDeveloper, clock } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  const present = (preview: Preview): PreviewRecord => {
    const { name, application_uuid, branch, pull_request, subdomain, status } = preview;
    return {
      name,
      application_uuid,
      branch,
      pull_request,
      status,
      domain: siteAddress(config, subdomain),
      created_at: preview.created_at.toISOString(),
      last_updated: preview.last_updated.toISOString(),
      deployed_at: preview.deployed_at?.toISOString() ?? null,
      visited_at: preview.visited_at.toISOString(),
    };
  };
  const named = async ({ application, params }: FastifyRequest): Promise<Preview> => {
    const { name } = params as { name: string };
    const preview = await store.find(application.application_uuid, toStorableText(name));
    if (!preview) throw noSuchPreview();
    return preview;
  };

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));

      app.get('', { schema: listSchema }, async ({ application }) => ({
        previews: (await store.list(application.application_uuid)).map(present),
      }));

      app.post('', { schema: openSchema }, async (request, reply) => {
        const { application, developer, body } = request;
        if (!developer.verified) throw new Refusal(403, 'unverified', deploying.notVerified);
        requireRepository(application);
        return makeChange(parts, request, reply, async (transaction) => {
          const fields = fieldsOf(body);
          refuseUnknown(Object.keys(previewFields), fields);
          const { branch, env } = readWhole(previewFields, fields);
          if (branch === application.branch) throw invalidField('branch', messages.production);
          const { preview, isNew } = await store.open(
            application,
            { branch, pullRequest: null },
            clock(),
            transaction,
          );
          if (!isNew) throw new Refusal(409, 'preview_exists', messages.exists(preview.name));
          const environment = { ...preview, preview: preview.name };
          await applications.changeVariables(environment, env, clock(), transaction);
          await requestDeployment(environment, transaction);
          const location = `${PREFIX}/${application.application_uuid}/previews/${preview.name}`;
          return {
            status: 201,
            headers: { location },
            body: present({ ...preview, status: 'deploying' }),
            history: {
              subject: preview.name,
              changes: { ...newFields({ branch }), ...variableChanges([], env) },
            },
          };
        });
      });

      app.get('/:name', { schema: readSchema }, async (request) => present(await named(request)));

      app.delete('/:name', { schema: removeSchema }, async (request, reply) => {
        const preview = await named(request);
        return makeChange(parts, request, reply, async (transaction) => {
          const isGone = await store.remove(preview.environment_id, transaction);
          if (!isGone) throw noSuchPreview();
          const after = () => onRemoved(preview);
          return { status: 204, body: null, history: { subject: preview.name }, after };
        });
      });
    },
    { prefix: `${PREFIX}/:uuid/previews` },
  );
}
