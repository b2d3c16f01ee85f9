import type { Config } from '../../kernel/config.ts';

/** Registry of sites' images, reachable for every machine of a cluster. */
export interface Registry {
  /** Prefix of the names of the registry's images, such as `registry.example.com:5000/sites`. */
  prefix: string;
  /** Name of an application's repository within the registry. */
  repositoryOf(applicationId: string): string;
  /** Headers with which an engine authenticates to pull and push this registry's images. */
  headers: Readonly<Record<string, string>>;
  /** Headers with which an engine authenticates for any image: empty if the image is in another registry. */
  headersFor(image: string): Readonly<Record<string, string>>;
}

/** Headers with which an engine authenticates at a registry; empty without a user. */
export function registryHeaders(
  serveraddress: string,
  { user, password }: { user?: string | undefined; password?: string | undefined },
): Registry['headers'] {
  if (user === undefined) return {};
  const auth = JSON.stringify({ username: user, password, serveraddress });
  // Older engines accept the `X-Registry-Auth` header only in the base64 of RFC 4648, section 5 (`-` and `_`), with
  // padding.
  const encoded = Buffer.from(auth).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  return { 'x-registry-auth': encoded };
}

export function registryOf({ prefix, ...login }: NonNullable<Config['appsRegistry']>): Registry {
  const [serveraddress = '', ...folders] = prefix.split('/');
  const headers = registryHeaders(serveraddress, login);
  return {
    prefix,
    repositoryOf: (applicationId) => [...folders, applicationId].join('/'),
    headers,
    headersFor: (image) => (image.startsWith(`${serveraddress}/`) ? headers : {}),
  };
}
