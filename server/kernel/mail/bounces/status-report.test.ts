import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStatusReport } from './status-report.ts';

const report = (fields: string, encoding = '7bit') => `Return-Path: <>
To: bounces@example.com
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="B1"

This is a MIME-encapsulated message.

--B1
Content-Type: text/plain

Your mail could not be delivered.

--B1
Content-Description: Delivery report
Content-Type: message/delivery-status
Content-Transfer-Encoding: ${encoding}

${fields}
--B1
Content-Type: message/rfc822

Status: 5.9.9
Action: failed

--B1--
`;

const FAILED = `Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; guest@example.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such
    user here
`;
const nested = report(FAILED).replace(/\n/g, '\r\n').split('\r\n\r\n');
const [head = '', ...rest] = nested;

const TABLE: Readonly<Record<string, [message: string, status: string | undefined, isPermanent?: boolean]>> =
  {
    'for good': [report(FAILED), '5.1.1', true],
    'with CRLF': [report(FAILED).replace(/\n/g, '\r\n'), '5.1.1', true],
    'in base64': [report(Buffer.from(FAILED).toString('base64'), 'base64'), '5.1.1', true],
    'with a comment': [report(FAILED.replace('5.1.1\n', '5.2.1 (mailbox disabled)\n')), '5.2.1', true],
    'of several recipients, one of whom failed': [
      report(
        FAILED.replace('Action: failed', 'Action: relayed').replace('5.1.1', '2.0.0') + FAILED.slice(35),
      ),
      '5.1.1',
      true,
    ],
    'given up for now': [report(FAILED.replace('5.1.1', '4.2.2')), '4.2.2', false],
    'within another part': [
      `Content-Type: multipart/mixed; boundary=outer\r\n\r\n--outer\r\n${head.slice(head.indexOf('Content-Type'))}\r\n\r\n${rest.join('\r\n\r\n')}\r\n--outer--\r\n`,
      '5.1.1',
      true,
    ],
    'a delay': [report(FAILED.replace('failed', 'delayed').replace('5.1.1', '4.4.1')), undefined],
    'a delivery': [report(FAILED.replace('failed', 'delivered').replace('5.1.1', '2.0.0')), undefined],
    'no status': [report(FAILED.replace('Status: 5.1.1\n', '')), undefined],
    'an automatic reply': ['Subject: Out of office\n\nAction: failed\nStatus: 5.1.1\n', undefined],
    'a report without its part': [report(FAILED).replace('message/delivery-status', 'text/plain'), undefined],
    'a text cut in the middle': [report(FAILED).slice(0, 200), undefined],
    nothing: ['', undefined],
  };

for (const [name, [message, status, isPermanent]] of Object.entries(TABLE)) {
  test(`a status report is read: ${name}`, () => {
    assert.deepEqual(readStatusReport(message), status && { status, isPermanent });
  });
}

test('a hostile message is read in time', () => {
  const parts = `Content-Type: multipart/report; boundary=a\n\n${'--a\nContent-Type: multipart/mixed; boundary=a\n\n'.repeat(2_000)}`;
  const begun = performance.now();
  assert.equal(readStatusReport(parts), undefined);
  assert.ok(performance.now() - begun < 5_000);
});
