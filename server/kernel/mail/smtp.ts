import { createTransport } from 'nodemailer';
import { compileMail } from './compile.ts';
import { type MailProblem, mailProblemText } from './messages.ts';
import { MailRefused, MOST_AT_ONCE, type Transport } from './transport.ts';

/** Key that signs mail for a domain (DKIM, RFC 6376). */
export interface DkimKey {
  domainName: string;
  keySelector: string;
  /** RSA key as PEM. */
  privateKey: string;
}

export interface SmtpOptions {
  dkim?: DkimKey | undefined;
  /** Envelope sender of a mail, to which bounces go; by default the sender's address. */
  returnPathOf?: ((id: string) => string) | undefined;
}

/**
 * Sends mail over SMTP: `smtp://` (STARTTLS if the server offers it) or `smtps://` (TLS from the start). If the address
 * has credentials, STARTTLS is required, so that an attacker on the network can't get the credentials by hiding the
 * server's offer; `?ignoreTLS=true` lifts that.
 */
export function smtpTransport(
  url: string,
  from: string,
  { dkim, returnPathOf }: SmtpOptions = {},
): Transport {
  const { protocol, hostname, port, username, searchParams } = new URL(url);
  const mailer = createTransport({
    url,
    ...(dkim && { dkim }),
    pool: true,
    maxConnections: MOST_AT_ONCE,
    maxRequeues: 0,
    requireTLS: protocol === 'smtp:' && username !== '' && searchParams.get('ignoreTLS') !== 'true',
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    destination: `${protocol}//${hostname}${port && `:${port}`}`,
    async deliver(id, content) {
      try {
        await mailer.sendMail(compileMail(id, from, content, returnPathOf?.(id)));
      } catch (error) {
        // The mail server's own reply and nodemailer's additions name the recipient, who must not appear in logs and
        // job records, so both are replaced.
        const answer = answerIn(error as SmtpError);
        throw answer && isFinal(error as SmtpError) ? new MailRefused(answer) : new Error(reasonOf(error));
      }
    },
    close: () => mailer.close(),
  };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/**
 * True if the mail server answered with 5xx about this recipient or this content. An error about the sender or the
 * login is temporary, because the operator can correct it.
 */
function isFinal({ code, command = '', responseCode = 0 }: SmtpError): boolean {
  if (responseCode < 500 || responseCode > 599) return false;
  return (code === 'EENVELOPE' && /^RCPT/i.test(command)) || code === 'EMESSAGE';
}

/** Answer of the mail server, and the command that it answered; undefined if there was no answer. */
function answerIn({ command, responseCode }: SmtpError): MailProblem | undefined {
  if (!responseCode) return undefined;
  return {
    code: 'refused',
    status: responseCode,
    step: command && /^[A-Z ]+$/.test(command) ? command : null,
  };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as SmtpError;
  const answer = answerIn(error as SmtpError);
  if (answer) return mailProblemText(answer, 'en');
  return CONNECTION_CODES.test(code ?? '') ? `the mail server can’t be reached: ${message}` : `mail: ${code}`;
}

// Codes of connection errors. Their messages are about host names and certificates only, so the messages can be logged.
const CONNECTION_CODES =
  /^(E[A-Z]*CONN[A-Z]*|ETIMEDOUT|ESOCKET|EDNS|ETLS|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
