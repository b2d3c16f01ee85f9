import type { Config } from '../config.ts';

/** Cookie of the platform; browsers send it only to the host that set it. */
export interface PlatformCookie {
  name: string;
  /** Makes the `Set-Cookie` header that sets the cookie. */
  setHeader(value: string, seconds: number): string;
  /** `Set-Cookie` header that deletes the cookie. */
  clearHeader: string;
}

/**
 * Creates a cookie. Its name has the prefix that the gateway reserves: no site receives or sets it. Over https,
 * browsers guarantee by `__Host-` that no other host has set it (RFC 6265bis, section 4.1.3.2); over plain http they
 * would reject that name.
 */
export function platformCookie(purpose: string, { publicUrl }: Pick<Config, 'publicUrl'>): PlatformCookie {
  const isSecure = publicUrl.startsWith('https:');
  const name = `${isSecure ? '__Host-' : ''}simcha_${purpose}`;
  const setHeader = (value: string, seconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return { name, setHeader, clearHeader: setHeader('', 0) };
}

/** Session cookie of a browser in which a user signed in. */
export const sessionCookie = (config: Pick<Config, 'publicUrl'>) => platformCookie('session', config);

/**
 * Values of the cookies with a name in a `Cookie` header, unchanged. A browser sends all cookies that it has, including
 * those of a parent domain, which any host beneath it can set; the header doesn't tell them apart.
 */
export function cookiesNamed(header: string | undefined, name: string): string[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const [own = '', ...value] = pair.split('=');
    return own.trim() === name ? [value.join('=').trim()] : [];
  });
}
