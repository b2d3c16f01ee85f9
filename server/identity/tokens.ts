import {
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { isMailAddress } from '../kernel/mail/address.ts';
import type { Grant } from './access-tokens/scopes.ts';

/** Caller whom an access token identifies. `id` is the token's `sub`, which need not be a UUID. */
export interface Caller {
  id: string;
  role: string;
  /** Mail address of the caller, in lower case; only if the signer of the token vouches for the address. */
  email?: string;
  /** Rights of the access token with which the caller sent the request; undefined for all other credentials. */
  grant?: Grant;
}

/** Returns the caller of a token; undefined if the token is invalid. Throws IdentityProviderAway. */
export type TokenReader = (token: string) => Promise<Caller | undefined>;

/**
 * Thrown if the outside identity provider's keys can't be fetched: it is not the caller's fault, and another try may
 * help.
 */
export class IdentityProviderAway extends Error {}

const OUTSIDE_ALGORITHMS = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];
const LONGEST_ID = 255;
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/**
 * Reads tokens signed with our secret (HS256) and, if `jwtJwksUrl` is set, those of an outside provider. The algorithm
 * in the token's header selects the key, so a public key is never used as a secret.
 */
export function createTokenReader(
  provider: Partial<Pick<Config, 'jwtJwksUrl' | 'jwtIssuer' | 'jwtAudience'>>,
  secret: string,
  clock: Clock,
): TokenReader {
  const ownKey = new TextEncoder().encode(secret);
  const outsideKeys = provider.jwtJwksUrl ? remoteKeys(provider.jwtJwksUrl) : undefined;

  const verify = async (token: string): Promise<JWTPayload | undefined> => {
    const currentDate = new Date(clock().epochMilliseconds);
    const { alg = '' } = decodeProtectedHeader(token);
    if (alg === 'HS256') {
      const { payload } = await jwtVerify(token, ownKey, { algorithms: ['HS256'], currentDate });
      return withEmail(payload, payload.email_verified !== false);
    }
    if (!outsideKeys || !OUTSIDE_ALGORITHMS.includes(alg)) return undefined;
    const payload = await verifyOutside(token, outsideKeys, {
      algorithms: OUTSIDE_ALGORITHMS,
      requiredClaims: ['exp'],
      currentDate,
      ...(provider.jwtIssuer && { issuer: provider.jwtIssuer }),
      ...(provider.jwtAudience && { audience: provider.jwtAudience }),
    });
    // A mail address in an outside token counts only if the identity provider has verified it: anybody can write any
    // address into their profile there.
    return payload && withEmail(payload, payload.email_verified === true);
  };

  // Verifying a signature costs more than the rest of a request. A valid token is accepted without another check for a
  // minute, except for its own expiry; an invalid one is checked again each time.
  const accepted = new Map<string, { caller: Caller; until: number }>();
  const remember = (token: string, caller: Caller, { exp = Number.POSITIVE_INFINITY }: JWTPayload) => {
    if (accepted.size >= MOST_REMEMBERED) accepted.delete(accepted.keys().next().value ?? '');
    accepted.set(token, { caller, until: Math.min(exp * 1000, clock().epochMilliseconds + REMEMBERED_MS) });
  };

  return async (token) => {
    const remembered = accepted.get(token);
    if (remembered && clock().epochMilliseconds < remembered.until) return remembered.caller;
    accepted.delete(token);
    try {
      const payload = await verify(token);
      const caller = payload && callerOf(payload);
      if (payload && caller) remember(token, caller, payload);
      return caller;
    } catch (error) {
      // The jose library throws a TypeError for a token whose header is invalid.
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  };
}

/** Creates a token for `sub`, signed with our secret. `lifetime` is in jose's format: `12h`, `30d`. */
export function signToken(secret: string, { id, role, email }: Caller, lifetime: string): Promise<string> {
  return new SignJWT({ role, ...(email && { email }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(id)
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(new TextEncoder().encode(secret));
}

function remoteKeys(url: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), {
    cacheMaxAge: 600_000,
    // Minimum time between two fetches of an outside provider's keys. Requests with unknown keys can't make us fetch
    // more often; a new key is accepted after this time at the latest.
    cooldownDuration: 10_000,
    timeoutDuration: 3_000,
    [customFetch]: async (...request) => {
      try {
        const response = await fetch(...request);
        if (response.status === 200) return response;
        throw new Error(`status ${response.status}`);
      } catch (cause) {
        throw new IdentityProviderAway('the keys of JWT_JWKS_URL can’t be fetched', { cause });
      }
    },
  });
}

/**
 * Verifies an outside provider's token. Providers may publish several keys that match a token's header; then all are
 * tried with the signature.
 */
async function verifyOutside(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions) {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const payload = await jwtVerify(token, key, options).then(
        (verified) => verified.payload,
        (failure) => {
          if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
        },
      );
      if (payload) return payload;
    }
    return undefined;
  }
}

/** Claims of an access token, without `email` if the token's mail address can't be trusted. */
function withEmail({ email, ...claims }: JWTPayload, counts: boolean): JWTPayload {
  return counts && email !== undefined ? { ...claims, email } : claims;
}

function callerOf({ sub, role, email }: JWTPayload): Caller | undefined {
  const fits = typeof sub === 'string' && sub !== '' && isPlainText(sub);
  if (!fits) return undefined;
  // Mail addresses with other than ASCII letters are left out: in lower case they may become another person's address.
  const address = typeof email === 'string' && isMailAddress(email) ? email : '';
  return {
    id: sub,
    role: typeof role === 'string' ? role : '',
    ...(address && { email: address.toLowerCase() }),
  };
}

/** True if the text is short and contains only characters that PostgreSQL can store. */
function isPlainText(text: string): boolean {
  return text.length <= LONGEST_ID && !text.includes('\0') && text.isWellFormed();
}
