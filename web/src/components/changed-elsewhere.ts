import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { SimchaError } from 'simcha-client';
import { readStored, writeStored } from '../lib/stored-value.ts';
import { fieldsOfBoth, merged } from './merge.tsx';

interface Read {
  etag: string;
}

interface SafeChangeOptions<V extends object, R extends Read, B extends object> {
  /** As it stands now, wherever it was changed. */
  read: R;
  keptAs: string;
  valuesOf(read: R): V;
  /** What is to be sent; empty where nothing is other. */
  changesOf(values: V, before: V): B;
  readAgain(): Promise<R>;
  send(changes: B, of: R): Promise<R>;
  onStored(isOther: boolean): void;
}

/**
 * A form's change of what may be changed elsewhere meanwhile: what both did to other fields is put together, and where they
 * did it to the same one, `conflict` has it to choose from.
 */
export function useSafeChange<V extends object, R extends Read, B extends object>(
  options: SafeChangeOptions<V, R, B>,
) {
  const { read, keptAs, valuesOf, changesOf, readAgain, send, onStored } = options;
  // What the form was made of: what comes in from elsewhere is taken over while nothing is typed, and never under what is.
  const [base, setBase] = useState(read);
  const [conflict, setConflict] = useState<{ before: V; typed: V; stored: V; now: R }>();
  /** What it is now, and whether it is other than it was. */
  const store = async (values: V, of: R): Promise<{ now: R; isOther: boolean }> => {
    const changes = changesOf(values, valuesOf(of));
    const isOther = Object.keys(changes).length > 0;
    return { now: isOther ? await send(changes, of) : of, isOther };
  };
  const change = useMutation({
    /** undefined: one has to choose first. */
    async mutationFn({ values, of }: { values: V; of: R }) {
      try {
        return await store(values, of);
      } catch (error) {
        if (!isOutdated(error)) throw error;
      }
      const now = await readAgain();
      const three = { before: valuesOf(of), typed: values, stored: valuesOf(now) };
      if (fieldsOfBoth(three).length === 0) return store(merged(three), now);
      setConflict({ ...three, now });
      return undefined;
    },
  });
  if (read.etag !== base.etag && !conflict && !change.isPending && readStored(keptAs) === undefined)
    setBase(read);

  const save = (values: V, of: R = base) =>
    change.mutate(
      { values, of },
      {
        onSuccess(stored) {
          if (!stored) return;
          writeStored(keptAs, undefined);
          setConflict(undefined);
          setBase(stored.now);
          onStored(stored.isOther);
        },
      },
    );
  return {
    base,
    before: valuesOf(base),
    conflict,
    isPending: change.isPending,
    error: change.error,
    /** What was last sent. */
    tried: change.variables?.values,
    save: (values: V) => save(values),
    choose: (values: V) => save(values, conflict?.now),
  };
}

const isOutdated = (error: unknown): boolean => error instanceof SimchaError && error.status === 412;
