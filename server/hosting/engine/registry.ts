import type { Config } from '../../kernel/config.ts';

/** Where images of sites go, for every machine of a cluster to have them. */
export interface Registry {
  /** What comes before the names of its images, such as `registry.example.com:5000/sites`. */
  prefix: string;
  /** An application's, as the registry itself calls it. */
  repositoryOf(applicationId: string): string;
  /** By which an engine has images of it, and gives it some. */
  headers: Readonly<Record<string, string>>;
  /** The same for whatever image, of this registry or another one. */
  headersFor(image: string): Readonly<Record<string, string>>;
}

export function registryOf({ prefix, user, password }: NonNullable<Config['appsRegistry']>): Registry {
  const [serveraddress, ...folders] = prefix.split('/');
  const told = JSON.stringify({ username: user, password, serveraddress });
  // Older engines want it as of RFC 4648, section 5, with its padding.
  const encoded = Buffer.from(told).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  const headers: Registry['headers'] = user === undefined ? {} : { 'x-registry-auth': encoded };
  return {
    prefix,
    repositoryOf: (applicationId) => [...folders, applicationId].join('/'),
    headers,
    headersFor: (image) => (image.startsWith(`${serveraddress}/`) ? headers : {}),
  };
}
