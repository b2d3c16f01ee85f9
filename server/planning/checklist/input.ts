import { choice, clearable, fieldsOf, text, withoutUndefined, yesOrNo } from '../../kernel/fields.ts';
import { LONGEST_NOTE, STATES } from './contract.ts';
import { DEFAULT_FACTS, type Facts } from './rules.ts';
import type { Progress } from './store.ts';

/** The facts as a body changes them. */
export function readFacts(body: unknown, current: Facts): Facts {
  const fields = fieldsOf(body);
  const given = Object.keys(DEFAULT_FACTS)
    .filter((name) => fields[name] !== undefined)
    .map((name) => [name, yesOrNo(name, fields[name])]);
  return { ...current, ...Object.fromEntries(given) };
}

/** How far an item is, as a body changes it. */
export function readProgress(body: unknown, current: Progress): Progress {
  const fields = fieldsOf(body);
  const given = withoutUndefined({
    state: fields.state === undefined ? undefined : choice('state', fields.state, STATES),
    dismissed: fields.dismissed === undefined ? undefined : yesOrNo('dismissed', fields.dismissed),
    note: clearable(fields, 'note', (field, value) => text(field, value, LONGEST_NOTE)),
  });
  return { ...current, ...given };
}
