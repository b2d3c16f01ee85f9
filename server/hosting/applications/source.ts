import { FieldProblem, invalidField } from '../../kernel/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { messages } from './messages.ts';

/** Where the files of an application come from: a git repository, or folders that its owner uploads. */
export const SOURCES = ['repository', 'upload'] as const;
export type Source = (typeof SOURCES)[number];

interface SourceChanges {
  source?: Source;
  repository?: object | null;
  branch?: string | null;
  previews?: string;
}

/**
 * Checks a change of an application's source, and adds the fields that must change with it. `current` is absent for a
 * new application. Throws FieldProblem if a repository is missing, or if a field needs a repository but the source is
 * uploaded folders.
 */
export function settleSource<C extends SourceChanges>(
  { source: requested, ...changes }: C,
  current?: { repository: string | null },
): Omit<C, 'source'> {
  const { repository, branch, previews = 'off' } = changes;
  if (sourceOf(requested, repository, current) === 'repository') {
    const isMissing = repository === undefined ? !current?.repository : repository === null;
    if (isMissing) throw new FieldProblem('repository', { kind: 'missing' });
    return changes;
  }
  for (const [field, value] of Object.entries({ repository, branch }))
    if (value) throw invalidField(field, messages.uploaded);
  if (previews !== 'off') throw invalidField('previews', messages.uploaded);
  return { ...changes, repository: null, ...(current && { branch: null, previews: 'off' }) };
}

/**
 * Source after the request: the requested one; else the repository if the request has one; else as before, or a
 * repository for a new application.
 */
function sourceOf(
  requested: Source | undefined,
  repository: object | null | undefined,
  current: { repository: string | null } | undefined,
): Source {
  if (requested) return requested;
  return current?.repository === null && !repository ? 'upload' : 'repository';
}

/** Throws a 409 if folders are uploaded for the application, so that it has no repository. */
export function requireRepository({ repository }: { repository: string | null }): string {
  if (repository === null) throw new Refusal(409, 'no_repository', messages.noRepository);
  return repository;
}
