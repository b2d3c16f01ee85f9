import type { Checklist, ChecklistItem } from './contract.ts';
import { UNTOUCHED } from './fields.ts';
import { messages } from './messages.ts';
import { dueDate, type Item, itemsOf, RULES } from './rules.ts';
import type { StoredChecklist } from './store.ts';

/** The checklist as people see it on `today`, what is due first standing first. */
export function checklistOf(stored: StoredChecklist, today: Temporal.PlainDate, zone: string): Checklist {
  const items = itemsOf(stored.circumstances).map((item) => itemOf(stored, item, today, zone));
  return {
    dismissed: stored.dismissed,
    advice: messages.advice,
    facts: stored.facts,
    items: items.sort((a, b) => (a.due_date ?? '').localeCompare(b.due_date ?? '')),
  };
}

function itemOf(
  { date, progress }: StoredChecklist,
  item: Item,
  today: Temporal.PlainDate,
  zone: string,
): ChecklistItem {
  const { grantedBy, daysBefore, source } = RULES[item];
  const { state, dismissed, note } = progress.get(item) ?? UNTOUCHED;
  const due = date && dueDate(date.toZonedDateTimeISO(zone).toPlainDate(), daysBefore);
  const settled = state === 'done' || dismissed;
  return {
    item,
    ...messages.items[item],
    granted_by: grantedBy,
    granted_by_name: messages.grantors[grantedBy],
    source,
    due_date: due?.toString() ?? null,
    overdue: due !== null && !settled && Temporal.PlainDate.compare(due, today) < 0,
    state,
    dismissed,
    note,
  };
}
