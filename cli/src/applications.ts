import { type Application, listApplications, paginate, readApplication, SimchaError } from 'simcha-client';
import { rememberApplications } from './config/application-names.ts';
import { CommandError, usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import type { Server } from './server.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads all applications, and remembers their names for the shell's completion. */
export async function allApplications({ client, url }: Server): Promise<Application[]> {
  const applications: Application[] = [];
  for await (const one of paginate((query) => listApplications({ client, query }))) applications.push(one);
  await rememberApplications(url, applications);
  return applications;
}

/**
 * Finds the application that a command means, by its name, subdomain or uuid; without any of them, the application of
 * `.simcha.json`.
 */
export async function findApplication(server: Server, named?: string): Promise<Application> {
  const { client, project } = server;
  const uuid = named ?? project?.application;
  if (uuid === undefined)
    throw usageError(
      'No application is named.',
      'Pass --app <name>, or link this folder to its application: simcha link <name>',
    );
  try {
    return (await readApplication({ client, path: { uuid } })).data;
  } catch (error) {
    if (!(error instanceof SimchaError && error.status === 404)) throw error;
    if (named === undefined)
      throw new CommandError(error.message, {
        hint: '.simcha.json names it. Name another one: simcha link <name>',
        exitCode: EXIT.notFound,
      });
    if (UUID.test(uuid)) throw error;
    return chooseByName(await applicationsOr(error, server), uuid);
  }
}

/** Reads all applications; throws `error` instead if the access token may not list them. */
async function applicationsOr(error: SimchaError, server: Server): Promise<Application[]> {
  return allApplications(server).catch((refusal) => {
    throw refusal instanceof SimchaError && refusal.status === 403 ? error : refusal;
  });
}

/** Parameters of a route about a site: an application, or a preview of it. */
export function siteParameters({ application_uuid: uuid }: Application, preview: string | undefined) {
  return { path: { uuid }, query: preview === undefined ? {} : { preview } };
}

/** Application with this name or subdomain. Throws an error that lists them if there are several, or none. */
export function chooseByName(applications: readonly Application[], named: string): Application {
  const wanted = named.toLowerCase();
  const bySubdomain = applications.filter(({ subdomain }) => subdomain === wanted);
  const byName = applications.filter(({ name }) => name.toLowerCase() === wanted);
  const exact = byName.filter(({ name }) => name === named);
  const [chosen, other] = exact.length > 0 ? exact : byName.length > 0 ? byName : bySubdomain;
  if (chosen && !other) return chosen;
  if (chosen)
    throw usageError(
      `Several applications are named "${named}":\n${byName.map((one) => `  ${one.application_uuid}  ${one.domain}`).join('\n')}`,
      'Pass the subdomain or the uuid of one.',
    );
  const names = applications.slice(0, 20).map(({ name }) => name);
  throw new CommandError(`There is no application "${named}".`, {
    hint: names.length > 0 ? `Yours are: ${names.join(', ')}` : 'Create one: simcha apps create',
    exitCode: EXIT.notFound,
  });
}
