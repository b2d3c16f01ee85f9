import { FieldProblem, invalidField } from '../../kernel/fields.ts';
import type { Words } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type ImageName, parseImageName, withTag } from '../model/image-name.ts';
import type { SourceRef } from '../model/source-ref.ts';
import { messages } from './messages.ts';

/** Kinds of an application's source: a git repository, folders that its owner uploads, or a named container image. */
export const SOURCES = ['repository', 'upload', 'image'] as const;
export type Source = (typeof SOURCES)[number];

/** Columns of an application that say what its source is. */
export interface SourceColumns {
  repository: string | null;
  image: string | null;
  /** User name at the image's registry; absent where it does not matter. */
  registry_user?: string | null;
}

interface SourceChanges {
  source?: Source | undefined;
  repository?: object | null | undefined;
  image?: ImageName | null | undefined;
  registry_user?: string | null | undefined;
  registry_password?: string | null | undefined;
  branch?: string | null | undefined;
  previews?: string | undefined;
}

/** Fields that only one kind of source has. */
const OWN_FIELDS = {
  repository: ['repository', 'branch'],
  image: ['image', 'registry_user', 'registry_password'],
  upload: [],
} as const satisfies Record<Source, readonly (keyof SourceChanges)[]>;

const REFUSED_BY: Readonly<Record<Source, Words>> = {
  repository: messages.fromRepository,
  upload: messages.uploaded,
  image: messages.fromImage,
};

export function sourceKind({ repository, image }: SourceColumns): Source {
  if (repository !== null) return 'repository';
  return image === null ? 'upload' : 'image';
}

/**
 * Checks a change of an application's source, and adds the fields that must change with it. `current` is absent for a
 * new application. Throws FieldProblem if the repository or the image is missing, or if a field belongs to another kind
 * of source.
 */
export function settleSource<C extends SourceChanges>(
  { source: requested, ...changes }: C,
  current?: SourceColumns,
): Omit<C, 'source'> {
  const source = requested ?? sourceAfter(changes, current);
  for (const other of SOURCES)
    if (other !== source)
      for (const field of OWN_FIELDS[other])
        if (changes[field]) throw invalidField(field, REFUSED_BY[source]);
  if (source !== 'repository' && (changes.previews ?? 'off') !== 'off')
    throw invalidField('previews', REFUSED_BY[source]);
  if (source !== 'upload') requireNamed(source, changes, current);
  return {
    ...changes,
    ...(source !== 'repository' && { repository: null, ...(current && { branch: null, previews: 'off' }) }),
    ...(source === 'image'
      ? settleLogin(changes, current)
      : { image: null, registry_user: null, registry_password: null }),
  };
}

/**
 * Source after the request, if the request does not name it: the one of which it has the repository or the image; else
 * as before, or a repository for a new application.
 */
function sourceAfter({ repository, image }: SourceChanges, current: SourceColumns | undefined): Source {
  if (repository) return 'repository';
  if (image) return 'image';
  return current ? sourceKind(current) : 'repository';
}

function requireNamed(
  field: 'repository' | 'image',
  changes: SourceChanges,
  current: SourceColumns | undefined,
): void {
  const isMissing = changes[field] === undefined ? !current?.[field] : changes[field] === null;
  if (isMissing) throw new FieldProblem(field, { kind: 'missing' });
}

type LoginChanges = Pick<SourceChanges, 'registry_user' | 'registry_password'>;

const NO_LOGIN: LoginChanges = { registry_user: null, registry_password: null };

/**
 * Login at the registry after the request: the given one, or the stored user with a new password; else the stored one.
 * An image at another registry forgets the stored login, which that registry must not get.
 */
function settleLogin(
  { image, registry_user: user, registry_password: password }: SourceChanges,
  current: SourceColumns | undefined,
): LoginChanges {
  const before = current?.image ? parseImageName(current.image)?.registry : undefined;
  const isMoved = image ? image.registry !== before : false;
  const stored = isMoved ? null : (current?.registry_user ?? null);
  if (password) {
    const name = user === undefined ? stored : user;
    if (!name) throw new FieldProblem('registry_user', { kind: 'missing' });
    return { registry_user: name, registry_password: password };
  }
  if (user && user !== stored) throw new FieldProblem('registry_password', { kind: 'missing' });
  const isCleared = user === null || password === null;
  return isCleared || isMoved ? NO_LOGIN : {};
}

/**
 * Full name of the image that a request deploys: the application's image, with the tag that the request names. Throws
 * FieldProblem for another name, or for what is no tag of an image.
 */
export function imageToDeploy(image: string, ref: SourceRef | undefined): string {
  if (!ref) return image;
  const parsed = parseImageName(image);
  const tagged = parsed && ref.type === 'tag' ? withTag(parsed, ref.name) : undefined;
  if (tagged === undefined)
    throw invalidField(ref.type, ref.type === 'tag' ? messages.imageTag : messages.imageRef);
  return tagged;
}

/** Throws a 409 if the application has no repository, because folders are uploaded for it or it runs an image. */
export function requireRepository(application: SourceColumns): string {
  if (application.repository === null)
    throw new Refusal(409, 'no_repository', noRepositoryWords(application));
  return application.repository;
}

function noRepositoryWords({ image }: SourceColumns) {
  return image === null ? messages.noRepository : messages.noRepositoryButImage;
}
