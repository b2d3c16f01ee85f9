import type { App, Server } from '../../http/app.ts';
import { networkOf } from '../../http/client-address.ts';
import type { Logger } from '../../log.ts';
import { CommonRefusal } from '../../refusal.ts';
import { isSameSecret } from '../../same-secret.ts';
import type { Mail } from '../mail.ts';
import { parseJson, readBounceReport, subscriptionAddress } from './reports.ts';

/** Path of the route for reports of bounces; the secret follows. */
export const BOUNCE_REPORTS = '/api/mail-bounces';
const LARGEST_REPORT = 256 * 1024;

export interface BounceReportParts {
  /** Secret that a mail provider sends with its reports, in the route's address or as bearer token. */
  secret: string;
  mail: Pick<Mail, 'recordBounce'>;
  log: Logger;
}

/** Route at which a mail provider reports mails that were not delivered. Only who knows the secret can use it. */
export function serveBounceReports(server: Server, { secret, mail, log }: BounceReportParts): void {
  server.app.register(async (app: App) => {
    app.addHook('onRequest', server.requireDatabase);
    app.addHook('onRequest', (request, reply) =>
      server.limit(request, reply, `bounces:${networkOf(request)}`),
    );
    // Amazon SNS sends JSON as text/plain.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    const options = { schema: { hide: true }, bodyLimit: LARGEST_REPORT };
    for (const path of [BOUNCE_REPORTS, `${BOUNCE_REPORTS}/:secret`]) {
      app.post(path, options, async ({ params, headers, body }, reply) => {
        const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
        const given = (params as { secret?: string }).secret ?? bearer ?? '';
        if (!isSameSecret(given, secret)) throw new CommonRefusal(404, 'not_found');
        const report = parseJson(body);
        const address = subscriptionAddress(report);
        if (address)
          log.warn(`Amazon SNS wants to report bounces; open this address once to allow it: ${address}`);
        const bounce = readBounceReport(report);
        if (bounce) await mail.recordBounce(bounce.mailId, bounce);
        return reply.code(204).send(null);
      });
    }
  });
}
