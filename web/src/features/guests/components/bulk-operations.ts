import { useState } from 'react';
import type { BulkResult } from 'simcha-client';
import { useNotify, useNotifyProblem } from '../../../components/notify.ts';
import { useNotifyWithAction } from '../../../components/notify-with-action.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { type BulkChange, type BulkWork, useBulk } from '../api/bulk.ts';
import { words } from '../words.ts';

interface BulkOperations {
  isPending: boolean;
  /** Number of guests that the running bulk operation has processed. */
  done: number;
  change(body: BulkChange): Promise<void>;
  /** Deletes the selected guests and offers to restore them. */
  remove(): Promise<void>;
}

interface BulkEffects {
  /** Called after the selected guests were deleted, to clear the selection. */
  onClear(): void;
  /** Called to show the waiting list, if a bulk change put guests on it. */
  onShowWaiting(): void;
}

/** Bulk operations on the selected guests. Each operation shows its result or error in a notification. */
export function useBulkOperations(
  eventId: string,
  ids: readonly string[],
  { onClear, onShowWaiting }: BulkEffects,
): BulkOperations {
  const say = useWords(words);
  const notify = useNotify();
  const notifyProblem = useNotifyProblem();
  const offer = useNotifyWithAction();
  const bulk = useBulk(eventId);
  const [done, setDone] = useState(0);

  const run = (work: BulkWork) => {
    setDone(0);
    return bulk.mutateAsync({ ids, work, onProgress: setDone });
  };
  const tryToRun = (work: BulkWork): Promise<BulkResult | undefined> =>
    run(work).catch((error) => {
      notifyProblem(error);
      return undefined;
    });
  const restore = async () => {
    const { changed } = await run({ kind: 'restore' });
    notify(say('restored', { n: changed }));
  };
  return {
    isPending: bulk.isPending,
    done,
    async remove() {
      const removed = await tryToRun({ kind: 'delete' });
      if (!removed) return;
      onClear();
      offer({ message: say('removed', { n: removed.changed }), action: say('undo'), act: restore });
    },
    async change(body) {
      const result = await tryToRun({ kind: 'change', body });
      if (!result) return;
      const waiting = result.warnings.filter(({ code }) => code === 'waits').length;
      const sentence = say('changedMany', { n: result.changed });
      if (waiting === 0) notify(sentence);
      else {
        const both = `${sentence} ${say('waitMany', { n: waiting })}`;
        offer({ message: both, action: say('showWaiting'), act: onShowWaiting });
      }
    },
  };
}
