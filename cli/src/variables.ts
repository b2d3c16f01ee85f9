import { type Client, readVariables } from 'simcha-client';

interface SiteRequest {
  client: Client;
  path: { uuid: string };
  query: { preview?: string };
}

/** Field of a listed variable that has the value of the site: of production, or of the named preview. */
export function siteOf(preview: string | undefined): 'production' | 'previews' {
  return preview === undefined ? 'production' : 'previews';
}

/** Values that the site gets, by name: its own, those of linked groups, and in a preview those of production. */
export async function readGivenValues({ client, path, query }: SiteRequest): Promise<Record<string, string>> {
  const { data } = await readVariables({ client, path, query });
  const site = siteOf(query.preview);
  return Object.fromEntries(
    data.variables.flatMap(({ name, [site]: given }) => (given ? [[name, given.value]] : [])),
  );
}
