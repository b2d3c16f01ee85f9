import type { Config } from '../../kernel/config.ts';

type Reached = Pick<Config, 'publicUrl' | 'appsPort'>;

/**
 * Address at which people reach a host: with the platform's protocol and the port for sites. Behind a proxy that speaks
 * TLS, or that needs no port in addresses, the platform's own port part applies.
 */
export function addressAt({ publicUrl, appsPort }: Reached, host: string): string {
  const { protocol, port: platformPort } = new URL(publicUrl);
  const port = protocol === 'http:' && platformPort ? (appsPort ?? platformPort) : platformPort;
  return `${protocol}//${host}${port && `:${port}`}`;
}

/** Full address of the site with this subdomain. */
export function siteAddress(config: Reached & Pick<Config, 'appsDomain'>, subdomain: string): string {
  return addressAt(config, `${subdomain}.${config.appsDomain}`);
}
