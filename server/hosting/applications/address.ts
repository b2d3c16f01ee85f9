import type { Config } from '../../kernel/config.ts';

type Reached = Pick<Config, 'publicUrl' | 'appsPort'>;

/**
 * URL of a host for people: with the platform's protocol and the port for sites. If the platform uses https or its
 * public URL has no port, for example behind a proxy, the host's URL has the same port as the public URL, or none.
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
