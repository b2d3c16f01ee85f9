import * as fieldTypes from '../../kernel/field-types.ts';
import { type Fields, invalidField, refuseUnknown } from '../../kernel/fields.ts';
import * as queryTypes from '../../kernel/query-types.ts';
import { RUN_KINDS, RUN_STATUSES } from '../model/run-rows.ts';
import { messages } from './messages.ts';
import type { RunRequest } from './store.ts';

const LONGEST_COMMAND = 10_000;
const LONGEST_JOB = 100;

/** Fields of a run request, with a time limit of at most `mostSeconds`. */
export function runFields(mostSeconds: number) {
  return {
    command: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(fieldTypes.text(LONGEST_COMMAND)),
        'A shell command to run in the release.',
      ),
      empty: null,
    },
    job: {
      type: fieldTypes.withDescription(
        fieldTypes.orNull(fieldTypes.line(LONGEST_JOB)),
        'The name of one of the release’s jobs, to run now.',
      ),
      empty: null,
    },
    seconds: {
      type: fieldTypes.withDescription(
        fieldTypes.orDefault(fieldTypes.wholeNumber(1, mostSeconds), mostSeconds),
        'The time limit.',
      ),
      empty: mostSeconds,
    },
  } as const satisfies fieldTypes.FieldTable;
}

/**
 * Highest time limit of runs that an operator may set (APPS_TASK_SECONDS); the published schema does not depend on the
 * operator's setting.
 */
export const LONGEST_SECONDS = 86_400;

export function readRunRequest(fields: Fields, mostSeconds: number): RunRequest {
  const table = runFields(mostSeconds);
  refuseUnknown(Object.keys(table), fields);
  const requested = fieldTypes.readWhole(table, fields);
  if ((requested.command === null) === (requested.job === null))
    throw invalidField('command', messages.commandOrJob);
  return requested;
}

export const runsQuery = {
  kind: queryTypes.oneOf(RUN_KINDS),
  job: queryTypes.text(LONGEST_JOB),
  status: queryTypes.oneOf(RUN_STATUSES),
};
