import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type HeaderRule, readHeaders } from './headers.ts';
import { messages } from './messages.ts';
import type { RuleProblem } from './problems.ts';
import { type Redirects, readRedirects } from './redirects.ts';

/** What a static site says of its own addresses, in `_redirects` and `_headers`. */
export interface SiteRules {
  redirects: Redirects | undefined;
  headers: readonly HeaderRule[] | undefined;
}

/** Names at the top of a site that are never served. */
export const RULE_FILES = ['_redirects', '_headers'] as const;

/** In bytes, of each file. */
export const LARGEST_RULES = 256 * 1024;
/** Problems of one file that a deployment's log tells one by one. */
const MOST_TOLD = 20;

/** The rules of the site in `folder`, and the size of their files. */
export async function readSiteRules(folder: string): Promise<SiteRules & { bytes: number }> {
  const [redirects, headers] = await Promise.all(RULE_FILES.map((name) => readRuleFile(folder, name)));
  return {
    redirects: redirects?.text === undefined ? undefined : readRedirects(redirects.text).redirects,
    headers: headers?.text === undefined ? undefined : readHeaders(headers.text).headers,
    bytes: (redirects?.text?.length ?? 0) + (headers?.text?.length ?? 0),
  };
}

/** What of the rules of the site in `folder` is passed over, as lines of a deployment's log. */
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

/** Follows no link and waits for no pipe, for a stranger's build made the folder. Without a text: it is too large. */
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
