import type { Connection } from './connection.ts';
import { type Labels, labelFilter, withAllLabels } from './labels.ts';
import { ignoreMissing } from './missing.ts';

export interface ListedVolume {
  Name: string;
  Labels: Labels;
}

/** Calls about the volumes of one machine. */
export function volumeCalls({ ask }: Connection) {
  return {
    /** Creating a volume that already exists does nothing. */
    createVolume: (name: string, labels: Labels, signal: AbortSignal): Promise<void> =>
      ask({ method: 'POST', path: ['volumes', 'create'], body: { Name: name, Labels: labels }, signal }),

    async volumes(labels: Labels, signal: AbortSignal): Promise<ListedVolume[]> {
      const query = { filters: labelFilter(labels) };
      const found = await ask<{ Volumes: ListedVolume[] | null }>({ path: ['volumes'], query, signal });
      return withAllLabels(labels, found.Volumes ?? []);
    },

    removeVolume: (name: string, signal: AbortSignal): Promise<void> =>
      ignoreMissing(ask({ method: 'DELETE', path: ['volumes', name], signal })),
  };
}
