import { type Client, connect } from 'simcha-client';
import { type Profile, readProfiles } from './config/profiles.ts';
import { CommandError, UnreachableError, usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import type { Output } from './output/output.ts';
import { type FoundProject, findProject, type Project } from './project.ts';

/** Server that a command talks to, and the user's access to it. */
export interface Server {
  url: string;
  client: Client;
  /** Name of the profile; undefined if the access comes from SIMCHA_TOKEN. */
  profile: string | undefined;
  /** `.simcha.json` of the current folder, if its application is on this server. */
  project: FoundProject | undefined;
}

interface Access {
  url: string;
  token: string;
  profile?: string;
}

/**
 * Connects to the server that the command means: SIMCHA_URL with SIMCHA_TOKEN, else the profile of `--profile` or
 * SIMCHA_PROFILE, else the profile of `.simcha.json`'s server, else the current one. A token is only ever sent to the
 * server that it was made for, whatever `.simcha.json` says.
 */
export async function openServer(output: Output, { profile }: { profile?: string } = {}): Promise<Server> {
  const project = await findProject();
  const access = accessOfEnvironment() ?? (await accessOfProfile(profile, project));
  return {
    url: access.url,
    client: connectTo(access.url, output, access.token),
    profile: access.profile,
    project: project && originOf(project.server) === access.url ? project : undefined,
  };
}

/** Client for a server; without a token, for the routes of sign-in. */
export function connectTo(url: string, output: Output, token?: string): Client {
  let wasTold = false;
  return connect({
    baseUrl: url,
    ...(token !== undefined && { token }),
    language: 'en',
    fetch: (input, init) => fetch(input, init).catch((error) => Promise.reject(reachErrorOf(error, url))),
    onAttempt: (_request, outcome) => {
      if (wasTold || !(outcome instanceof Error) || outcome.name === 'AbortError') return;
      wasTold = true;
      output.hint(`${url} can’t be reached; trying again …`);
    },
  });
}

/** Error of `fetch` with the server's address in it; an aborted request keeps its own error. */
function reachErrorOf(error: unknown, url: string): unknown {
  return error instanceof TypeError ? new UnreachableError(url, error.cause) : error;
}

function accessOfEnvironment(): Access | undefined {
  const { SIMCHA_TOKEN: token, SIMCHA_URL: url } = process.env;
  if (!token) return undefined;
  if (!url) throw usageError('SIMCHA_TOKEN needs SIMCHA_URL, the address of its server.');
  return { url: originOf(url), token };
}

async function accessOfProfile(asked: string | undefined, project: Project | undefined): Promise<Access> {
  const { current, profiles } = await readProfiles();
  const named = asked ?? (process.env.SIMCHA_PROFILE || undefined);
  if (named !== undefined && !profiles[named])
    throw usageError(
      `There is no profile "${named}".`,
      `${listOf(Object.keys(profiles))}Sign in: simcha login <address> --profile ${named}`,
    );
  const name = named ?? profileOf(project, profiles) ?? current;
  const profile = name === undefined ? undefined : profiles[name];
  if (name === undefined || !profile?.token) throw signedOut(profile?.url);
  if (profile.expires_at && Date.parse(profile.expires_at) < Date.now()) throw signedOut(profile.url, true);
  return { url: profile.url, token: profile.token, profile: name };
}

/** Profile of the server that `.simcha.json` names. */
function profileOf(project: Project | undefined, profiles: Record<string, Profile>): string | undefined {
  if (!project) return undefined;
  const url = originOf(project.server);
  const name = Object.keys(profiles).find((one) => profiles[one]?.url === url && profiles[one].token);
  if (name === undefined) throw signedOut(url);
  return name;
}

function signedOut(url?: string, hasExpired = false): CommandError {
  const where = url === undefined ? '' : ` to ${url}`;
  return new CommandError(
    hasExpired ? `Your sign-in${where} has expired.` : `You are not signed in${where}.`,
    {
      hint: `Sign in: simcha login${url === undefined ? ' <address of the server>' : ` ${url}`}`,
      exitCode: EXIT.notSignedIn,
    },
  );
}

const listOf = (names: readonly string[]) => (names.length > 0 ? `Profiles: ${names.join(', ')}. ` : '');

/** Address of a server without a path; a name without a protocol means https, and http on this machine. */
export function originOf(text: string): string {
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/.test(text);
  const address = /^https?:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(address)) throw usageError(`"${text}" is no address of a server.`);
  return new URL(address).origin;
}
