/** Kinds of names in a repository by which a deployment can be requested. */
export const REF_TYPES = ['commit', 'branch', 'tag'] as const;

/** Commit, branch or tag that a request names. A commit's name is its hash, which may be abbreviated. */
export interface SourceRef {
  type: (typeof REF_TYPES)[number];
  name: string;
}

/** Minimum length of an abbreviated hash: shorter ones are often ambiguous. */
export const SHORTEST_HASH = 7;
/** Lengths of a full hash in hexadecimal digits, with SHA-1 and with SHA-256. */
const FULL_HASHES = [40, 64];
export const LONGEST_HASH = Math.max(...FULL_HASHES);

/** True for a hash that names a commit completely, so that a repository's host can be asked for it. */
export function isFullHash(text: string): boolean {
  return FULL_HASHES.includes(text.length) && /^[0-9a-f]+$/.test(text);
}

/** True for a revision that is the beginning of a commit's hash, and not a full hash or the name of a branch or tag. */
export function isAbbreviated(revision: string): boolean {
  return /^[0-9a-f]+$/.test(revision) && !isFullHash(revision);
}

/**
 * Revision that git is asked for: a full hash, an abbreviated one, or the full name of a branch or tag. Without a `ref`
 * it is `branch` or, if `branch` is null, the repository's default branch.
 */
export function revisionOf(ref: SourceRef | undefined, branch: string | null): string {
  switch (ref?.type) {
    case 'commit':
      return ref.name;
    case 'branch':
      return `refs/heads/${ref.name}`;
    case 'tag':
      return `refs/tags/${ref.name}`;
    case undefined:
      return branch === null ? 'HEAD' : `refs/heads/${branch}`;
  }
}
