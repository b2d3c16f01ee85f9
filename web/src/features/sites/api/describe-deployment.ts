import type { Deployment } from 'simcha-client';
import type { Say } from '../../../lib/words.ts';
import type { words } from './deployment-words.ts';

/** Title of a deployment: the first line of the commit's message, or what was deployed or done instead. */
export function titleOf(
  {
    action,
    upload,
    image,
    commit_message: message,
  }: Pick<Deployment, 'action' | 'upload' | 'image' | 'commit_message'>,
  say: Say<typeof words>,
): string {
  const version = upload ? say('uploaded', { n: upload.files }) : (image?.name ?? message);
  if (action === 'deploy') return version || say('deploy');
  return version ? `${say(action)}: ${version}` : say(action);
}

/** Names of the other site and of the preview from which a release was promoted; empty for other deployments. */
export function promotionSource(
  {
    promoted_from: preview,
    promoted_from_application: site,
  }: Pick<Deployment, 'promoted_from' | 'promoted_from_application'>,
  say: Say<typeof words>,
): string {
  return [
    ...(site === null ? [] : [say('fromSite', { site })]),
    ...(preview === null ? [] : [say('fromPreview', { preview })]),
  ].join(' · ');
}

/** First digits of a commit's hash, enough to name it. */
export const shortHash = (hash: string): string => hash.slice(0, 7);

/** First digits of the digest of a deployment's image; undefined for another source, and until it is known. */
export const shortDigestOf = ({ image }: Pick<Deployment, 'image'>): string | undefined =>
  image?.digest ? shortDigest(image.digest) : undefined;

/** First digits of a digest such as `sha256:9f86…`, enough to recognise it. */
export const shortDigest = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12);

/** Milliseconds from the request of a deployment until it ended, or until now. */
export const durationOf = ({ requested_at: from, ended_at: to }: Deployment, now = Date.now()): number =>
  (to === null ? now : Date.parse(to)) - Date.parse(from);
