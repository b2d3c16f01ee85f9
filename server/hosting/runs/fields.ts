import * as asks from '../../kernel/query-types.ts';
import { type Fields, invalidField, refuseUnknown } from '../../kernel/fields.ts';
import * as takes from '../../kernel/field-types.ts';
import { messages } from './messages.ts';
import { KINDS, STATUSES } from './rows.ts';
import type { Asked } from './store.ts';

const LONGEST_COMMAND = 10_000;
const LONGEST_JOB = 100;

/** What a run is asked by; no longer than `mostSeconds`. */
export function runFields(mostSeconds: number) {
  return {
    command: {
      takes: takes.described(takes.orNull(takes.text(LONGEST_COMMAND)), 'What a shell runs in the release.'),
      empty: null,
    },
    job: {
      takes: takes.described(takes.orNull(takes.line(LONGEST_JOB)), 'One of the release’s jobs, now.'),
      empty: null,
    },
    seconds: {
      takes: takes.described(
        takes.orDefault(takes.wholeNumber(1, mostSeconds), mostSeconds),
        'How long it may take.',
      ),
      empty: mostSeconds,
    },
  } as const satisfies takes.FieldTable;
}

/** The longest that a server may allow (APPS_TASK_SECONDS): what is published does not depend on the server. */
export const LONGEST_SECONDS = 86_400;

export function readAsked(fields: Fields, mostSeconds: number): Asked {
  const table = runFields(mostSeconds);
  refuseUnknown(Object.keys(table), fields);
  const asked = takes.readWhole(table, fields);
  if ((asked.command === null) === (asked.job === null)) throw invalidField('command', messages.commandOrJob);
  return asked;
}

/** What a list of runs is narrowed by. */
export const runsQuery = {
  kind: asks.oneOf(KINDS),
  job: asks.text(LONGEST_JOB),
  status: asks.oneOf(STATUSES),
};
