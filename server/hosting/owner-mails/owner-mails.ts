import { type Kysely, sql } from 'kysely';
import { findRecipient, type Recipient } from '../../identity/notifications/store.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { Mail } from '../../kernel/mail/mail.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import type { DeploymentRow } from '../model/deployment-rows.ts';
import { describeReason, type Reason } from '../model/reasons/reason.ts';
import { findNamedSite, type NamedSite } from '../model/site-messages.ts';
import { ownerMailWords } from './messages.ts';

/** Kinds of mails about a site; its owner can switch off each of them. */
export type OwnerMailKind = 'deployment_failed' | 'site_down' | 'site_up';

export interface OwnerMailParts {
  mail: Pick<Mail, 'enqueue'>;
  publicUrl: string;
}

/** Minimum time between two mails of one kind about one site, so that a site that comes and goes does not flood. */
const PAUSE = { hours: 1 };

/** Mails to the owners of sites, queued in the transaction that records what they are about. */
export class OwnerMails {
  readonly #mail: Pick<Mail, 'enqueue'>;
  readonly #publicUrl: string;

  constructor({ mail, publicUrl }: OwnerMailParts) {
    this.#mail = mail;
    this.#publicUrl = publicUrl;
  }

  /** Mails the owner that a deployment failed, and why. */
  mailFailedDeployment(
    transaction: Kysely<unknown>,
    { environment_id, deployment_uuid }: DeploymentRow,
    why: Reason,
    now: Temporal.Instant,
  ): Promise<void> {
    const page = ({ application_uuid }: NamedSite) =>
      `/sites/${application_uuid}/deployments/${deployment_uuid}`;
    return this.#send(transaction, 'deployment_failed', environment_id, why, page, now);
  }

  /** Mails the owner that a site went down, or came back. */
  mailState(
    transaction: Kysely<unknown>,
    kind: 'site_down' | 'site_up',
    environmentId: string,
    why: Reason | null,
    now: Temporal.Instant,
  ): Promise<void> {
    const page = ({ application_uuid }: NamedSite) => `/sites/${application_uuid}`;
    return this.#send(transaction, kind, environmentId, why, page, now);
  }

  async #send(
    transaction: Kysely<unknown>,
    kind: OwnerMailKind,
    environmentId: string,
    why: Reason | null,
    page: (site: NamedSite) => string,
    now: Temporal.Instant,
  ): Promise<void> {
    const site = await findNamedSite(transaction, environmentId);
    const recipient = site && (await findRecipient(transaction, site.owner_id));
    if (!site || !recipient?.settings[kind]) return;
    if (!(await beginPause(transaction, environmentId, kind, now))) return;
    const url = new URL(page(site), this.#publicUrl).href;
    await this.#mail.enqueue(transaction, letterFor(kind, site, recipient, why, url), { urgency: 'service' });
  }
}

function letterFor(
  kind: OwnerMailKind,
  { name, preview }: NamedSite,
  { email: to, settings: { language } }: Recipient,
  why: Reason | null,
  url: string,
) {
  const say = ownerMailWords[language];
  const site = preview === null ? name : say.preview(name, preview);
  const subject = say[kind].subject(site);
  const letter = writeLetter({
    language,
    title: subject,
    paragraphs: [say[kind].what(site), ...(why ? [describeReason(why, language)] : [])],
    action: { label: say[kind].action, url },
    footer: say.footer,
  });
  return { to, language, subject, ...letter };
}

/** Records a mail about a site; false if one of its kind was sent within `PAUSE`. */
async function beginPause(
  transaction: Kysely<unknown>,
  environmentId: string,
  kind: OwnerMailKind,
  now: Temporal.Instant,
): Promise<boolean> {
  const { rows } = await sql`
    insert into site_mails (environment_id, kind, mailed_at)
    values (${environmentId}, ${kind}, ${toTimestamp(now)})
    on conflict (environment_id, kind) do update set mailed_at = excluded.mailed_at
      where site_mails.mailed_at <= ${toTimestamp(now.subtract(PAUSE))}::timestamptz
    returning kind`.execute(transaction);
  return rows.length > 0;
}
