import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readJson } from './config/private-file.ts';
import { CommandError } from './errors.ts';

export const PROJECT_FILE = '.simcha.json';

/** What `.simcha.json` says of the folder that it is in: its application, and that application's server. */
export interface Project {
  server: string;
  application: string;
  name: string;
}

/** Project with the folder of its file. */
export interface FoundProject extends Project {
  folder: string;
}

/** Reads `.simcha.json` of the current folder or of the nearest folder above it; undefined if there is none. */
export async function findProject(from = process.cwd()): Promise<FoundProject | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE);
    const project = await readJson<Project>(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR' || error.code === 'EACCES') return undefined;
      throw error;
    });
    if (project !== undefined) return { ...checked(project, path), folder };
    if (folder === dirname(folder)) return undefined;
  }
}

function checked(project: Partial<Project>, path: string): Project {
  const { server, application, name } = project;
  if (typeof server !== 'string' || !URL.canParse(server) || typeof application !== 'string')
    throw new CommandError(`${path} names no server and application.`, {
      hint: 'Write it again: simcha link <application>',
    });
  return { server, application, name: typeof name === 'string' ? name : application };
}

export async function writeProject(project: Project, folder = process.cwd()): Promise<string> {
  const path = join(folder, PROJECT_FILE);
  await writeFile(path, `${JSON.stringify(project, null, 2)}\n`);
  return path;
}
