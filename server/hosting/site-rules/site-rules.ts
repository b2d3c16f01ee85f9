import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type HeaderRule, readHeaders } from './headers.ts';
import { messages } from './messages.ts';
import type { RuleProblem } from './problems.ts';
import { type Redirects, readRedirects } from './redirects.ts';

/** Rules that a static site sets for its own addresses, in `_redirects` and `_headers`. */
export interface SiteRules {
  redirects: Redirects | undefined;
  headers: readonly HeaderRule[] | undefined;
}

/** File names at the top of a site that are never served. */
export const RULE_FILES = ['_redirects', '_headers'] as const;

/** Maximum size of each rule file, in bytes. */
export const LARGEST_RULES = 256 * 1024;
/** Maximum number of problems of one rule file listed in a deployment's log. */
const MOST_TOLD = 20;

/** Reads the rules of the site in `folder`, and the size of their files in bytes. */
export async function readSiteRules(folder: string): Promise<SiteRules & { bytes: number }> {
  const [redirects, headers] = await Promise.all(RULE_FILES.map((name) => readRuleFile(folder, name)));
  return {
    redirects: redirects?.text === undefined ? undefined : readRedirects(redirects.text).redirects,
    headers: headers?.text === undefined ? undefined : readHeaders(headers.text).headers,
    bytes: (redirects?.text?.length ?? 0) + (headers?.text?.length ?? 0),
  };
}

/** Describes the ignored rules of the site in `folder`, as lines for a deployment's log. */
export async function describeProblems(folder: string): Promise<string[]> {
  const lines: string[] = [];
  for (const name of RULE_FILES) {
    const file = await readRuleFile(folder, name);
    if (!file) continue;
    if (file.text === undefined) {
      lines.push(messages.tooLarge(name, LARGEST_RULES));
      continue;
    }
    const read: (text: string) => { problems: RuleProblem[] } =
      name === '_redirects' ? readRedirects : readHeaders;
    const { problems } = read(file.text);
    for (const problem of problems.slice(0, MOST_TOLD)) lines.push(messages.passedOver(name, problem));
    if (problems.length > MOST_TOLD) lines.push(messages.morePassedOver(name, problems.length - MOST_TOLD));
  }
  return lines;
}

/**
 * Reads a rule file without following links and without blocking on pipes, because untrusted builds made the folder.
 * The result has no text if the file is too large.
 */
async function readRuleFile(folder: string, name: string): Promise<{ text?: string } | undefined> {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    await using file = await open(join(folder, name), flags);
    const facts = await file.stat();
    if (!facts.isFile()) return undefined;
    return facts.size > LARGEST_RULES ? {} : { text: await file.readFile('utf8') };
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENXIO', 'EISDIR']);
