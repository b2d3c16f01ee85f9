import type { Config } from '../../kernel/config.ts';

/** The full address of the site with this subdomain: the platform's own protocol and port, the sites' domain. */
export function siteAddress(config: Pick<Config, 'publicUrl' | 'appsDomain'>, subdomain: string): string {
  const { protocol, port } = new URL(config.publicUrl);
  return `${protocol}//${subdomain}.${config.appsDomain}${port && `:${port}`}`;
}
