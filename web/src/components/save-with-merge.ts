import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { SimchaError } from 'simcha-client';
import { readStored, writeStored } from '../lib/stored-value.ts';
import { conflictingFields, mergeValues } from './merge-conflict.tsx';

export interface Versioned {
  etag: string;
}

export interface SaveWithMergeOptions<V extends object, R extends Versioned, B extends object> {
  /** Resource as it is stored now, including changes by other users. */
  read: R;
  draftKey: string;
  valuesOf(read: R): V;
  /** Body of the request that saves the form; empty if no value differs from the stored one. */
  changesOf(values: V, before: V): B;
  readAgain(): Promise<R>;
  send(changes: B, of: R): Promise<R>;
  /** Called after the form was saved; `hasChanged` is false if no value differed from the stored one. */
  onStored(hasChanged: boolean): void;
}

/**
 * Saves a form whose resource others may change meanwhile. Changes of different fields are merged; if a field was
 * changed on both sides, `conflict` holds the versions to choose from.
 */
export function useSaveWithMerge<V extends object, R extends Versioned, B extends object>(
  options: SaveWithMergeOptions<V, R, B>,
) {
  const { read, draftKey, valuesOf, changesOf, readAgain, send, onStored } = options;
  // Stored version of the resource from which the form started. A newer version replaces it only as long as nothing is
  // typed.
  const [base, setBase] = useState(read);
  const [conflict, setConflict] = useState<{ before: V; typed: V; stored: V; now: R }>();
  /** Sends the form's changes, if there are any, and returns the stored resource. */
  const store = async (values: V, of: R): Promise<{ now: R; hasChanged: boolean }> => {
    const changes = changesOf(values, valuesOf(of));
    const hasChanged = Object.keys(changes).length > 0;
    return { now: hasChanged ? await send(changes, of) : of, hasChanged };
  };
  const change = useMutation({
    /**
     * Saves the form; returns undefined if somebody else changed the same fields, so that the user first has to choose
     * between the versions.
     */
    async mutationFn({ values, of }: { values: V; of: R }) {
      try {
        return await store(values, of);
      } catch (error) {
        if (!isOutdated(error)) throw error;
      }
      const now = await readAgain();
      const three = { before: valuesOf(of), typed: values, stored: valuesOf(now) };
      if (conflictingFields(three).length === 0) return store(mergeValues(three), now);
      setConflict({ ...three, now });
      return undefined;
    },
  });
  if (read.etag !== base.etag && !conflict && !change.isPending && readStored(draftKey) === undefined)
    setBase(read);

  const save = (values: V, of: R = base) =>
    change.mutate(
      { values, of },
      {
        onSuccess(stored) {
          if (!stored) return;
          writeStored(draftKey, undefined);
          setConflict(undefined);
          setBase(stored.now);
          onStored(stored.hasChanged);
        },
      },
    );
  return {
    base,
    before: valuesOf(base),
    conflict,
    isPending: change.isPending,
    error: change.error,
    /** Form values of the last attempt to save. */
    tried: change.variables?.values,
    save: (values: V) => save(values),
    choose: (values: V) => save(values, conflict?.now),
  };
}

const isOutdated = (error: unknown): boolean => error instanceof SimchaError && error.status === 412;
