import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { until } from './until.ts';

export interface ReceivedMail {
  to: string[];
  /** Envelope sender, to which bounces go. */
  from: string;
  /** Mail as it arrived, with its headers. */
  raw: string;
  headers: Map<string, string>;
  /** Decoded text of the mail's part with this content type. */
  part(type: 'text/plain' | 'text/html' | 'text/calendar'): string;
  secure: boolean;
  user: string | undefined;
}

export interface MailServer extends AsyncDisposable {
  port: number;
  mails: ReceivedMail[];
  /** Waits for a mail to an address and returns the newest one. */
  mailTo(address: string, past?: number): Promise<ReceivedMail>;
}

export interface MailServerOptions
  extends Pick<SMTPServerOptions, 'secure' | 'authOptional' | 'hideSTARTTLS'> {
  port?: number;
  /** Address on which the mail server listens; loopback by default. */
  host?: string;
  /** User and password that the mail server accepts; undefined if it requires no login. */
  login?: { user: string; pass: string };
  /** SMTP status with which the mail server refuses a recipient. */
  refuse?: (address: string) => number | undefined;
  /**
   * Called when a mail has arrived completely: the mail is accepted when the promise resolves, or refused if it
   * resolves to an SMTP status.
   */
  taking?: () => Promise<number | undefined>;
}

/** Starts a mail server with a self-signed certificate. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { port = 0, host = '127.0.0.1', login, refuse, taking, ...rest } = options;
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...certificate(),
    ...rest,
    authOptional: !login,
    disabledCommands: login ? [] : ['AUTH'],
    logger: false,
    // Open connections delay the end of the mail server by at most this time, in milliseconds.
    closeTimeout: 100,
    onAuth(auth, _session, done) {
      const right = auth.username === login?.user && auth.password === login?.pass;
      done(right ? null : smtpError(535, 'wrong login'), right ? { user: auth.username } : undefined);
    },
    onRcptTo({ address }, _session, done) {
      const status = refuse?.(address);
      done(status ? smtpError(status, 'not here') : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const status = await taking?.();
        if (status) return done(smtpError(status, 'not now'));
        const raw = Buffer.concat(chunks).toString('utf8');
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const user = session.user as unknown as string | undefined;
        const { mailFrom } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        mails.push({ to, from, raw, ...parse(raw), secure: session.secure, user });
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    async mailTo(address, past = 0) {
      const found = () => mails.filter(({ to }) => to.includes(address));
      await until(() => found().length > past, 30_000);
      return found().at(-1) as ReceivedMail;
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

let made: { key: string; cert: string } | undefined;

function certificate() {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'simcha-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const form = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  execFileSync('openssl', [...form, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

/** Parses MIME as far as Simcha's own mails use it: unfolded headers, and parts in base64. */
function parse(raw: string): Pick<ReceivedMail, 'headers' | 'part'> {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 2)]),
  );
  return {
    headers,
    part(type) {
      const [, head = '', body = ''] =
        new RegExp(`Content-Type: ${type}([^]*?)\\r\\n\\r\\n([^]*?)\\r\\n--`).exec(raw) ?? [];
      return decoded(body, /transfer-encoding: (\S+)/i.exec(head)?.[1] ?? '7bit');
    },
  };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
