import type { Config } from '../../kernel/config.ts';

/**
 * Where an application's site is found by people: by the protocol of the platform, and at the port for sites where no
 * proxy stands in front, which speaks TLS or has no port in its address.
 */
export function siteAddress(
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'appsPort'>,
  subdomain: string,
): string {
  const { protocol, port: platformPort } = new URL(config.publicUrl);
  const port = protocol === 'http:' && platformPort ? (config.appsPort ?? platformPort) : platformPort;
  return `${protocol}//${subdomain}.${config.appsDomain}${port && `:${port}`}`;
}
