import { type Kysely, sql } from 'kysely';
import type { SiteKind } from '../../webhooks/kinds.ts';
import { findListeners, queueMessages } from '../../webhooks/outbox.ts';
import type { DeploymentRow } from './deployment-rows.ts';
import { presentDeployment } from './deployment-view.ts';
import { PRODUCTION } from './environments.ts';
import { accountsWithAccess } from './people.ts';
import { describeReason, type Reason } from './reasons/reason.ts';

/** Site of a message to webhooks or of a mail, with its application and the application's owner. */
export interface NamedSite {
  owner_id: string;
  application_uuid: string;
  name: string;
  /** Name of the preview; null for production. */
  preview: string | null;
  subdomain: string;
}

/** Finds the application and the owner of an environment; undefined if it was deleted. */
export async function findNamedSite(
  db: Kysely<unknown>,
  environmentId: string,
): Promise<NamedSite | undefined> {
  const { rows } = await sql<NamedSite>`
    select owner_id, application_uuid, applications.name, nullif(environments.name, ${PRODUCTION}) as preview, subdomain
    from environments join applications using (application_uuid)
    where environment_id = ${environmentId}`.execute(db);
  return rows[0];
}

/** Queues the message to webhooks about a deployment, in the transaction that changes the deployment. */
export async function queueDeploymentMessage(
  transaction: Kysely<unknown>,
  kind: Extract<SiteKind, `deployment.${string}`>,
  deployment: DeploymentRow,
  now: Temporal.Instant,
): Promise<void> {
  await queueSiteMessage(transaction, kind, deployment.environment_id, now, () => ({
    deployment: presentDeployment(deployment, 'en'),
  }));
}

/** Queues the message to webhooks that a site went down or came back, in the transaction that records it. */
export async function queueStateMessage(
  transaction: Kysely<unknown>,
  kind: 'site.down' | 'site.up',
  environmentId: string,
  note: Reason | null,
  now: Temporal.Instant,
): Promise<void> {
  await queueSiteMessage(transaction, kind, environmentId, now, ({ preview, subdomain }) => ({
    site: {
      preview,
      subdomain,
      state: kind === 'site.up' ? 'live' : 'down',
      reason: note && describeReason(note, 'en'),
      reason_code: note?.code ?? null,
    },
  }));
}

/** Queues a message about a site, if anybody listens; `describe` makes its data. */
async function queueSiteMessage(
  transaction: Kysely<unknown>,
  kind: SiteKind,
  environmentId: string,
  now: Temporal.Instant,
  describe: (site: NamedSite) => object,
): Promise<void> {
  const site = await findNamedSite(transaction, environmentId);
  if (!site) return;
  const { application_uuid, name } = site;
  const subject = { application: application_uuid };
  const listeners = await findListeners(transaction, subject, [kind], accountsWithAccess(application_uuid));
  if (listeners.length === 0) return;
  const data = { application: { application_uuid, name }, ...describe(site) };
  await queueMessages(transaction, subject, listeners, [{ kind, data }], now);
}
