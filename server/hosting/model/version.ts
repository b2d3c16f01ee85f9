import type { Release } from './deployment-rows.ts';

/** Kinds of sources that a release is made from, as logs name them. */
export type VersionKind = 'commit' | 'upload' | 'image';

export type Version = Pick<Release, 'commit_hash' | 'upload_id' | 'recipe'>;

export function versionKind({ upload_id, recipe }: Pick<Version, 'upload_id' | 'recipe'>): VersionKind {
  if (recipe.plan.image) return 'image';
  return upload_id === null ? 'commit' : 'upload';
}
