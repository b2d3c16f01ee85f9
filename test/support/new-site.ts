import { newAddress, newApplication, verifiedUser } from './deployed.ts';
import { createRepository } from './git.ts';
import type { DatabaseKind } from './server.ts';
import { sharedServer } from './shared-server.ts';

interface SiteOptions {
  kind?: DatabaseKind;
  /** Settings of the application to create. */
  settings?: object | undefined;
  branch?: string | undefined;
}

/**
 * Makes an application and its verified owner on the server that tests with these settings share. The application's
 * repository has these files; nothing is deployed yet.
 */
export async function newSite(
  env: Record<string, string>,
  files: Parameters<typeof createRepository>[0],
  { kind = 'embedded', settings = {}, branch }: SiteOptions = {},
) {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await sharedServer(kind, env));
  const repository = opened.use(await createRepository(files, branch));
  const user = await verifiedUser(server.url, server.dataDir, newAddress());
  const app = await newApplication(user.call, server.url, repository.address, settings);
  const all = opened.move();
  return { server, repository, user, app, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
