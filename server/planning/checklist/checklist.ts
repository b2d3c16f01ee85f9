import type { Language } from '../../kernel/languages.ts';
import { offName } from '../calendar/messages.ts';
import type { Checklist, ChecklistItem } from './contract.ts';
import { INITIAL_PROGRESS } from './fields.ts';
import { messages } from './messages.ts';
import { CHECKLIST_RULES, dueDate, type ItemName, itemsOf, reasonForEarlierDueDate } from './rules.ts';
import type { StoredChecklist } from './store.ts';

/** Checklist of an event for display on the day `today`, ordered by due date. */
export function checklistOf(
  stored: StoredChecklist,
  today: Temporal.PlainDate,
  zone: string,
  language: Language,
): Checklist {
  const items = itemsOf(stored.circumstances).map((item) => itemOf(stored, item, today, zone, language));
  return {
    dismissed: stored.dismissed,
    advice: messages.advice[language],
    facts: stored.facts,
    items: items.sort((a, b) => (a.due_date ?? '').localeCompare(b.due_date ?? '')),
  };
}

function itemOf(
  { date, progress }: StoredChecklist,
  item: ItemName,
  today: Temporal.PlainDate,
  zone: string,
  language: Language,
): ChecklistItem {
  const { grantedBy, daysBefore, source } = CHECKLIST_RULES[item];
  const { state, dismissed, note } = progress.get(item) ?? INITIAL_PROGRESS;
  const eventDay = date?.toZonedDateTimeISO(zone).toPlainDate();
  const due = eventDay && dueDate(eventDay, daysBefore);
  const off = eventDay && reasonForEarlierDueDate(eventDay, daysBefore);
  const { title, why } = messages.items[item];
  const settled = state === 'done' || dismissed;
  return {
    item,
    title: title[language],
    why: why[language],
    granted_by: grantedBy,
    granted_by_name: messages.grantors[grantedBy][language],
    source: source && messages.sources[source][language],
    due_date: due?.toString() ?? null,
    due_earlier_for: off ? offName(off)[language] : null,
    overdue: due !== undefined && !settled && Temporal.PlainDate.compare(due, today) < 0,
    state,
    dismissed,
    note,
  };
}
