import type { Bounce } from '../mail.ts';

/** Maximum depth of parts within parts of a mail message, in which the report is searched. */
const DEEPEST = 3;

/**
 * Reads a report about a mail that was not delivered (RFC 3464): the first recipient for whom it failed. Undefined for
 * any other message, such as an automatic reply, and for a report of a delivery or of a relay.
 */
export function readStatusReport(message: string): Bounce | undefined {
  const report = findPart(message.replace(/\r\n/g, '\n'), 'message/delivery-status', DEEPEST);
  if (report === undefined) return undefined;
  for (const group of report.split(/\n[ \t]*\n/)) {
    const fields = fieldsIn(group);
    const [, status] = /^\s*([245]\.\d{1,3}\.\d{1,3})\b/.exec(fields.get('status') ?? '') ?? [];
    if (status && fields.get('action')?.trim().toLowerCase() === 'failed')
      return { status, isPermanent: status.startsWith('5') };
  }
  return undefined;
}

/** Headers of a message: everything before its first empty line. */
export function headersOf(message: string): string {
  return message.split(/\r?\n\r?\n/, 1)[0] ?? '';
}

/** Decoded body of the first part of a type in a multipart message. */
function findPart(message: string, type: string, depth: number): string | undefined {
  const end = message.indexOf('\n\n');
  const headers = fieldsIn(message.slice(0, Math.max(end, 0)));
  const body = message.slice(end + 2);
  const content = headers.get('content-type') ?? '';
  if (content.trim().toLowerCase().startsWith(type)) return decode(body, headers);
  const [, quoted, plain] = /boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(content) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || depth === 0) return undefined;
  for (const part of `\n${body}`.split(`\n--${boundary}`).slice(1)) {
    const found = findPart(part.replace(/^[^\n]*\n/, ''), type, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldsIn(text: string): Map<string, string> {
  const lines = text.replace(/\n[ \t]+/g, ' ').split('\n');
  const fields = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1));
  }
  return fields;
}

function decode(body: string, headers: Map<string, string>): string {
  const encoding = headers.get('content-transfer-encoding')?.trim().toLowerCase();
  return encoding === 'base64' ? Buffer.from(body, 'base64').toString('latin1').replace(/\r\n/g, '\n') : body;
}
