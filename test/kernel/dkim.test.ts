import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { test } from 'node:test';
import { readConfig } from '../../server/kernel/config.ts';
import { openTransport } from '../../server/kernel/mail/open.ts';
import { createOutbox } from '../../server/kernel/mail/outbox.ts';
import { startMailServer } from '../support/smtp.ts';

// DKIM, RFC 6376 with rsa-sha256 and relaxed/relaxed, read as a receiving mail server reads it.

/** A header in relaxed form (3.4.2): its name in lower case, on one line, with single spaces. */
function relaxedHeader(header: string): string {
  const colon = header.indexOf(':');
  const value = header
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();
  return `${header.slice(0, colon).trimEnd().toLowerCase()}:${value}`;
}

/** A body in relaxed form (3.4.4): single spaces, none at the ends of lines, no empty lines at the end. */
function relaxedBody(body: string): string {
  const lines = body.replace(/[ \t]+/g, ' ').replace(/ \r\n/g, '\r\n');
  return lines.replace(/(\r\n)*$/, '\r\n');
}

function isSigned(raw: string, publicKey: string): boolean {
  const end = raw.indexOf('\r\n\r\n');
  const headers = raw.slice(0, end).split(/\r\n(?![ \t])/);
  const signature = headers.find((one) => /^dkim-signature:/i.test(one)) ?? '';
  const tags = new Map(
    relaxedHeader(signature)
      .slice('dkim-signature:'.length)
      .split(';')
      .map((tag) => tag.trim().split(/=(.*)/s, 2) as [string, string]),
  );
  const bodyHash = createHash('sha256')
    .update(relaxedBody(raw.slice(end + 4)))
    .digest('base64');
  if (tags.get('bh')?.replaceAll(' ', '') !== bodyHash) return false;
  const left = [...headers];
  const signed = (tags.get('h') ?? '').split(':').flatMap((name) => {
    const at = left.findLastIndex((one) => one.toLowerCase().startsWith(`${name.trim().toLowerCase()}:`));
    return at < 0 ? [] : left.splice(at, 1).map(relaxedHeader);
  });
  const unsigned = relaxedHeader(signature.replace(/(;\s*b=)[^;]*$/s, '$1'));
  const text = [...signed, unsigned].join('\r\n');
  return verify('sha256', Buffer.from(text), publicKey, Buffer.from(tags.get('b') ?? '', 'base64'));
}

test('mail is signed by DKIM for the domain, and any change of it shows', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await using smtp = await startMailServer({ hideSTARTTLS: true });
  const config = readConfig({
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'שמחה <simcha@example.com>',
    MAIL_DKIM_DOMAIN: 'example.com',
    MAIL_DKIM_SELECTOR: 's1',
    MAIL_DKIM_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
  const transport = openTransport(config, createOutbox('/nowhere'));
  await transport.deliver('id', {
    to: 'guest@example.com',
    language: 'he',
    subject: 'הזמנה לחתונה של נועה ואיתי, שכל שורה ארוכה ממנה נשברת לשתיים',
    text: 'שלום  עולם \n\n',
    html: '<p>שלום</p>',
    headers: { 'List-Unsubscribe': '<https://example.com/u>' },
  });
  transport.close();
  const { raw, headers } = await smtp.mailTo('guest@example.com');
  assert.match(headers.get('dkim-signature') ?? '', /d=example\.com; .*s=s1; .*h=from:.*list-unsubscribe/);
  assert.equal(isSigned(raw, spki), true);
  const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey;
  assert.equal(isSigned(raw, other.export({ type: 'spki', format: 'pem' }).toString()), false);
  assert.equal(isSigned(raw.replace('Subject: ', 'Subject: x'), spki), false);
  assert.equal(isSigned(raw.replace(/\r\n--[^\r]+--/, '\r\nx'), spki), false);
});
