import type { Config } from '../../kernel/config.ts';

type Reached = Pick<Config, 'publicUrl' | 'appsPort'>;

/**
 * Where people find what is served at a host: by the protocol of the platform, and at the port for sites, unless a proxy
 * stands in front, which speaks TLS or has no port in its address.
 */
export function addressAt({ publicUrl, appsPort }: Reached, host: string): string {
  const { protocol, port: platformPort } = new URL(publicUrl);
  const port = protocol === 'http:' && platformPort ? (appsPort ?? platformPort) : platformPort;
  return `${protocol}//${host}${port && `:${port}`}`;
}

/** The full address of the site with this subdomain. */
export function siteAddress(config: Reached & Pick<Config, 'appsDomain'>, subdomain: string): string {
  return addressAt(config, `${subdomain}.${config.appsDomain}`);
}
