import { execFileSync } from 'node:child_process';
import { createPrivateKey, createSign, randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

// Server that issues tokens for an image registry (https://distribution.github.io/distribution/spec/auth/jwt/).

const ISSUER = 'simcha-test';
const SERVICE = 'registry of tests';

export type TokenServer = Awaited<ReturnType<typeof startTokenServer>>;

export async function startTokenServer(
  folder: string,
  { user, password }: { user: string; password: string },
) {
  const files = { key: join(folder, 'token-key.pem'), certificate: join(folder, 'token.pem') };
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      `/CN=${ISSUER}`,
      '-days',
      '2',
      '-keyout',
      files.key,
      '-out',
      files.certificate,
    ],
    { stdio: 'pipe' },
  );
  const key = createPrivateKey(await readFile(files.key));
  const certificate = new X509Certificate(await readFile(files.certificate));
  /** Signs a registry token for scopes such as `repository:sites/one:pull,push`. */
  const tokenFor = (scopes: readonly string[]): string => {
    const access = scopes.map((scope) => {
      const [type, name, actions = ''] = scope.split(':');
      return { type, name, actions: actions.split(',') };
    });
    const now = Math.floor(Date.now() / 1_000);
    const parts = [
      { typ: 'JWT', alg: 'RS256', x5c: [certificate.raw.toString('base64')] },
      {
        iss: ISSUER,
        sub: user,
        aud: SERVICE,
        jti: randomUUID(),
        access,
        iat: now,
        nbf: now - 60,
        exp: now + 300,
      },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${text}.${createSign('sha256').update(text).sign(key, 'base64url')}`;
  };
  /** Scopes that clients have requested, one entry for each issued token. */
  const asked: string[] = [];
  const known = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://token');
    const scopes = searchParams.getAll('scope');
    const isKnown = request.headers.authorization === known && searchParams.get('service') === SERVICE;
    asked.push(...scopes);
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { access_token: tokenFor(scopes), expires_in: 300 } : {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const realm = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  return {
    asked,
    tokenFor,
    /** Settings of a registry that trusts the tokens of this server. */
    auth: { token: { realm, service: SERVICE, issuer: ISSUER, rootcertbundle: files.certificate } },
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
