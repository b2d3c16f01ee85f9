import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { RULE_FILES, readSiteRules, type SiteRules } from '../../site-rules/site-rules.ts';

/**
 * Cache of the redirect and header rules of static sites. Each site's rule files are read once, and again after a
 * change.
 */
export interface CachedRules {
  of(folder: string): Promise<SiteRules>;
}

interface Version {
  rules: SiteRules;
  /**
   * Sizes and modification times of the site's files with redirect and header rules, as one text; if it changes, the
   * files are read again.
   */
  name: string;
  bytes: number;
}

/** Time for which a site's cached redirect and header rules are used before their files are checked for changes. */
const REMEMBERED_MS = 500;
const MOST_SITES = 10_000;
/** Maximum total size of all cached files with redirect and header rules, in bytes. */
const MOST_BYTES = 16 * 1024 * 1024;

export function createCachedRules(): CachedRules {
  const cached = new Map<string, { at: number; version: Promise<Version> }>();
  const sizes = new Map<string, number>();
  let total = 0;

  const drop = (folder: string) => {
    cached.delete(folder);
    total -= sizes.get(folder) ?? 0;
    sizes.delete(folder);
  };
  const count = (folder: string, bytes: number) => {
    if (!cached.has(folder)) return;
    total += bytes - (sizes.get(folder) ?? 0);
    sizes.set(folder, bytes);
    for (const oldest of cached.keys()) {
      if (total <= MOST_BYTES && cached.size <= MOST_SITES) break;
      drop(oldest);
    }
  };

  return {
    async of(folder) {
      const cachedVersion = cached.get(folder);
      const now = performance.now();
      if (cachedVersion && now - cachedVersion.at < REMEMBERED_MS) return (await cachedVersion.version).rules;
      const version = newestVersion(folder, cachedVersion?.version);
      cached.delete(folder);
      cached.set(folder, { at: now, version });
      try {
        const { rules, bytes } = await version;
        count(folder, bytes);
        return rules;
      } catch (error) {
        drop(folder);
        throw error;
      }
    },
  };
}

async function newestVersion(folder: string, before: Promise<Version> | undefined): Promise<Version> {
  const name = (await Promise.all(RULE_FILES.map((file) => nameOf(join(folder, file))))).join();
  const cachedVersion = await before?.catch(() => undefined);
  if (cachedVersion?.name === name) return cachedVersion;
  const { bytes, ...rules } = await readSiteRules(folder);
  return { rules, name, bytes };
}

async function nameOf(path: string): Promise<string> {
  const facts = await lstat(path, { bigint: true }).catch(() => undefined);
  return facts ? `${facts.size}-${facts.mtimeNs}` : '';
}
