import type { FastifyRequest } from 'fastify';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { authorizeApplication } from '../applications/access.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { type HookDelivery, listDeliveriesSchema } from './contract.ts';
import type { DeliveryRow, HookDeliveries } from './deliveries.ts';
import { explain } from './messages.ts';

export interface DeliveryParts {
  deliveries: Pick<HookDeliveries, 'list'>;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
}

/** Serves the log of a push hook's deliveries: `/api/v1/applications/{uuid}/hook/deliveries`. */
export function serveDeliveries(
  server: Server,
  { deliveries, applications, readDeveloper }: DeliveryParts,
): void {
  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));
      app.get('', { schema: listDeliveriesSchema }, async (request) => ({
        deliveries: (await deliveries.list(request.application.application_uuid)).map((row) =>
          present(request, row),
        ),
      }));
    },
    { prefix: `${PREFIX}/:uuid/hook/deliveries` },
  );
}

function present({ headers }: FastifyRequest, row: DeliveryRow): HookDelivery {
  const { delivery_id, taken_at, status, reason, ...shown } = row;
  const message = explain({ status, reason }, preferredLanguage(headers['accept-language']));
  return {
    delivery_uuid: delivery_id,
    received_at: taken_at.toISOString(),
    status,
    reason,
    message,
    ...shown,
  };
}
