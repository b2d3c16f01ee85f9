import type { Config } from '../config.ts';
import type { App, Server } from '../http/app.ts';
import { networkOf } from '../http/client-address.ts';
import { isUuid } from '../identifiers.ts';
import { CommonRefusal } from '../refusal.ts';
import { isSameSecret } from '../same-secret.ts';
import { parseJson } from './carrier.ts';
import { type Carriers, SMS_REPORTS, WHATSAPP_REPORTS } from './open.ts';
import { readSmsReport } from './sms.ts';
import type { Texts } from './texts.ts';
import { isFromMeta, readWhatsAppReports } from './whatsapp.ts';

export interface ReportParts {
  config: Pick<Config, 'publicUrl' | 'whatsAppAppSecret' | 'whatsAppVerifyToken'>;
  carriers: Pick<Carriers, 'sms'>;
  texts: Pick<Texts, 'report'>;
}

/** Maximum size of a carrier's notification, in bytes. It is large, because Meta bundles its reports. */
const LARGEST_NOTIFICATION = 4 * 2 ** 20;

/** Routes at which carriers report what became of a text message. Only carriers use them; each request is signed. */
export function serveTextReports(server: Server, { config, carriers, texts }: ReportParts): void {
  const { publicUrl, whatsAppAppSecret, whatsAppVerifyToken } = config;
  const { sms } = carriers;
  const routes = { schema: { hide: true }, bodyLimit: LARGEST_NOTIFICATION };
  server.app.register(async (app: App) => {
    app.addHook('onRequest', server.requireDatabase);
    app.addHook('onRequest', (request, reply) =>
      server.limit(request, reply, `report:${networkOf(request)}`),
    );
    // A carrier signs the raw bytes of its report, so the body is parsed only after the signature was checked.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    if (sms) {
      app.post(`${SMS_REPORTS}/:id`, routes, async ({ params, headers, body }, reply) => {
        const { id } = params as { id: string };
        const form = new URLSearchParams(bytesOf(body).toString('utf8'));
        const signature = textOf(headers['x-twilio-signature']);
        if (!isUuid(id) || !sms.isSigned(signature, `${publicUrl}${SMS_REPORTS}/${id}`, form)) {
          throw new CommonRefusal(404, 'not_found');
        }
        const report = readSmsReport(id, form);
        if (report) await texts.report([report]);
        return reply.code(204).send();
      });
    }

    if (whatsAppAppSecret !== undefined) {
      app.post(WHATSAPP_REPORTS, routes, async ({ headers, body }, reply) => {
        const bytes = bytesOf(body);
        if (!isFromMeta(textOf(headers['x-hub-signature-256']), bytes, whatsAppAppSecret)) {
          throw new CommonRefusal(404, 'not_found');
        }
        await texts.report(readWhatsAppReports(parseJson(bytes.toString('utf8'))));
        return reply.code(200).send();
      });
    }

    if (whatsAppVerifyToken !== undefined) {
      // Meta's request, sent once, that verifies that the address belongs to this server.
      app.get(WHATSAPP_REPORTS, routes, async ({ query }, reply) => {
        const asked = query as Record<string, unknown>;
        const isMeta =
          asked['hub.mode'] === 'subscribe' &&
          isSameSecret(textOf(asked['hub.verify_token']), whatsAppVerifyToken);
        if (!isMeta) throw new CommonRefusal(404, 'not_found');
        return reply.type('text/plain; charset=utf-8').send(textOf(asked['hub.challenge']));
      });
    }
  });
}

function bytesOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
