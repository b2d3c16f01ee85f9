import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useWords } from '../lib/language-context.tsx';
import type { FormState } from './draft-form.tsx';
import { MergeConflict } from './merge-conflict.tsx';
import { useNotify } from './notify.ts';
import { ProblemNote } from './problem-note.tsx';
import { type SaveWithMergeOptions, useSaveWithMerge, type Versioned } from './save-with-merge.ts';
import { words } from './words.ts';

interface EditFormProps<V extends object, R extends Versioned, B extends object, K extends QueryKey>
  extends Omit<SaveWithMergeOptions<V, R, B>, 'readAgain' | 'onStored'> {
  /** Query that reads the stored resource which the form changes. */
  query: FetchQueryOptions<R, Error, R, K>;
  label(name: keyof V): string;
  /** Formats the value of a form field as text. */
  show(name: keyof V, value: V[keyof V]): string;
  /**
   * Called after the form was saved; `hasChanged` is false if no value was changed. If this function is missing, a
   * notification reports the result.
   */
  onStored?(hasChanged: boolean): void;
  /** Version of the stored values in the form, by default the resource's ETag. A new version resets the form. */
  versionOf?(read: R): string;
  children(form: FormState<V> & { tried: V | undefined }): ReactNode;
}

/**
 * Form for a stored resource, in a side sheet or on a page. If somebody else changed the same fields meanwhile, the
 * user chooses between the versions.
 */
export function EditForm<V extends object, R extends Versioned, B extends object, K extends QueryKey>({
  query,
  label,
  show,
  onStored,
  versionOf = ({ etag }) => etag,
  children,
  ...options
}: EditFormProps<V, R, B, K>) {
  const queries = useQueryClient();
  const notifySaved = useNotifySaved();
  const change = useSaveWithMerge({
    ...options,
    readAgain: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    onStored: onStored ?? notifySaved,
  });
  const { base, before, conflict, isPending, error, tried } = change;
  if (conflict) {
    return (
      <>
        <MergeConflict
          {...conflict}
          isPending={isPending}
          label={label}
          show={show}
          onChosen={change.choose}
        />
        <ProblemNote error={error} />
      </>
    );
  }
  const { draftKey } = options;
  return (
    <Fragment key={versionOf(base)}>
      {children({ draftKey, initial: before, isPending, error, onSubmit: change.save, tried })}
    </Fragment>
  );
}

/** Returns a function that notifies the user that a form was saved, or that nothing was changed in it. */
export function useNotifySaved(): (hasChanged: boolean) => void {
  const say = useWords(words);
  const notify = useNotify();
  return (hasChanged) => notify(say(hasChanged ? 'saved' : 'nothingChanged'));
}
