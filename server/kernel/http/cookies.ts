import type { Config } from '../config.ts';

/** A cookie of the platform's own, at the host that gave it alone. */
export interface PlatformCookie {
  name: string;
  /** A `Set-Cookie` that gives it. */
  given(value: string, seconds: number): string;
  /** One that takes it away. */
  taken: string;
}

/**
 * The name begins as the gateway knows: no site gets it or sets it. Where the platform is at https, browsers hold to
 * `__Host-` that no other host has set it (RFC 6265bis, section 4.1.3.2); over plain http they would not take it.
 */
export function platformCookie(purpose: string, { publicUrl }: Pick<Config, 'publicUrl'>): PlatformCookie {
  const isSecure = publicUrl.startsWith('https:');
  const name = `${isSecure ? '__Host-' : ''}simcha_${purpose}`;
  const given = (value: string, seconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return { name, given, taken: given('', 0) };
}

/** Of a browser that signed in. */
export const sessionCookie = (config: Pick<Config, 'publicUrl'>) => platformCookie('session', config);

/**
 * What a `Cookie` header has by a name, letter by letter. A browser sends all that it holds, those of a parent domain
 * among them, which anybody beneath it can set; nothing tells which is whose.
 */
export function cookiesNamed(header: string | undefined, name: string): string[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const [own = '', ...value] = pair.split('=');
    return own.trim() === name ? [value.join('=').trim()] : [];
  });
}
