import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configFolder } from './folders.ts';
import { readJson, writePrivately } from './private-file.ts';

/** Server to which the user signed in. */
export interface Profile {
  url: string;
  /** Token of the server; absent after a sign-out. */
  token?: string;
  email?: string;
  /** Time (UTC) at which the token expires, if it is known. */
  expires_at?: string | null;
}

interface Profiles {
  /** Name of the profile that commands use unless told otherwise. */
  current?: string;
  profiles: Record<string, Profile>;
}

const pathOfProfiles = () => join(configFolder(), 'credentials.json');

export async function readProfiles(): Promise<Profiles> {
  const stored = await readJson<Partial<Profiles>>(pathOfProfiles());
  return { ...stored, profiles: stored?.profiles ?? {} };
}

/** Names of all profiles, for the shell's completion; none if they can't be read. */
export function namesOfProfiles(): string[] {
  try {
    return Object.keys(JSON.parse(readFileSync(pathOfProfiles(), 'utf8')).profiles);
  } catch {
    return [];
  }
}

/** Stores a profile and makes it the current one. */
export async function saveProfile(name: string, profile: Profile): Promise<void> {
  const { profiles } = await readProfiles();
  await write({ current: name, profiles: { ...profiles, [name]: profile } });
}

export async function chooseProfile(name: string): Promise<void> {
  await write({ ...(await readProfiles()), current: name });
}

/** Removes a profile. If it was the current one, no profile is current until the user chooses one. */
export async function removeProfile(name: string): Promise<void> {
  const { current, profiles } = await readProfiles();
  const { [name]: _removed, ...others } = profiles;
  await write({ ...(current !== name && current !== undefined && { current }), profiles: others });
}

const write = (profiles: Profiles) =>
  writePrivately(pathOfProfiles(), `${JSON.stringify(profiles, null, 2)}\n`);

/** Name of the profile for a server: the host name of its URL, with the port if the URL has one. */
export function nameOfProfile(url: string): string {
  const { hostname, port } = new URL(url);
  return port ? `${hostname}:${port}` : hostname;
}
