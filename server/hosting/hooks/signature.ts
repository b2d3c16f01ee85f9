import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from '../../kernel/same-secret.ts';

/**
 * Whether a delivery was signed with our secret, by the rules of GitHub (`X-Hub-Signature-256`), Gitea and Forgejo
 * (`X-Gitea-Signature`) or GitLab, which sends the secret itself (`X-Gitlab-Token`). `body` is the bytes as they came.
 */
export function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const right = createHmac('sha256', secret).update(body).digest('hex');
  const { github, gitea } = signatures(headers);
  if (github !== undefined) return isSameSecret(github.toLowerCase(), `sha256=${right}`);
  if (gitea !== undefined) return isSameSecret(gitea.toLowerCase(), right);
  const gitlab = header(headers, 'x-gitlab-token');
  return gitlab !== undefined && isSameSecret(gitlab, secret);
}

/**
 * What a delivery is known by when it comes again: the bytes, which are signed. GitLab signs nothing, and its bytes are
 * the same when a branch goes back and forth, so that its own name of the event counts as well.
 */
export function deliveryDigest(headers: IncomingHttpHeaders, body: Buffer): Buffer {
  const { github, gitea } = signatures(headers);
  const isSigned = github !== undefined || gitea !== undefined;
  const name = isSigned ? undefined : header(headers, 'x-gitlab-event-uuid');
  return createHash('sha256')
    .update(name ?? '')
    .update(body)
    .digest();
}

function signatures(headers: IncomingHttpHeaders) {
  return {
    github: header(headers, 'x-hub-signature-256'),
    gitea: header(headers, 'x-gitea-signature') ?? header(headers, 'x-forgejo-signature'),
  };
}

/** One that came once. */
export function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
