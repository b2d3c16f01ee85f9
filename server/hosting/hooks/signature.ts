import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from '../../kernel/same-secret.ts';

/**
 * True if a delivery is signed with the application's secret, by the rules of GitHub (`X-Hub-Signature-256`), Gitea and
 * Forgejo (`X-Gitea-Signature`), or GitLab, which sends the secret itself (`X-Gitlab-Token`). `body`: the bytes as
 * received.
 */
export function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const right = createHmac('sha256', secret).update(body).digest('hex');
  const { github, gitea } = signatures(headers);
  if (github !== undefined) return isSameSecret(github.toLowerCase(), `sha256=${right}`);
  if (gitea !== undefined) return isSameSecret(gitea.toLowerCase(), right);
  const gitlab = singleHeader(headers, 'x-gitlab-token');
  return gitlab !== undefined && isSameSecret(gitlab, secret);
}

/**
 * Digest by which a webhook delivery that was sent twice is recognised. For signed deliveries, the digest covers the
 * signed bytes. GitLab does not sign, and sends equal bytes when a branch moves back and forth, so its event id is
 * included.
 */
export function deliveryDigest(headers: IncomingHttpHeaders, body: Buffer): Buffer {
  const { github, gitea } = signatures(headers);
  const isSigned = github !== undefined || gitea !== undefined;
  const name = isSigned ? undefined : singleHeader(headers, 'x-gitlab-event-uuid');
  return createHash('sha256')
    .update(name ?? '')
    .update(body)
    .digest();
}

function signatures(headers: IncomingHttpHeaders) {
  return {
    github: singleHeader(headers, 'x-hub-signature-256'),
    gitea: singleHeader(headers, 'x-gitea-signature') ?? singleHeader(headers, 'x-forgejo-signature'),
  };
}

/** Value of a header; undefined if the header occurs several times or not at all. */
export function singleHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
