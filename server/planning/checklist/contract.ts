import { type Static, Type } from 'typebox';
import { emptyOf } from '../../kernel/field-types.ts';
import { inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { namedSchema, recordAnswer } from '../../kernel/http/resource.ts';
import { dateOrNullSchema, enumSchema, schemaRef, textOrNullSchema } from '../../kernel/http/shapes.ts';
import { messages as calendarMessages } from '../calendar/messages.ts';
import { eventFrames, eventRecordFrames, eventRecordParams, versionedAnswer } from '../events/area.ts';
import { factFields, INITIAL_PROGRESS, progressFields } from './fields.ts';
import { messages } from './messages.ts';
import { GRANTORS, ITEM_NAMES } from './rules.ts';

export const EventFacts = Type.Object(outputFields(factFields), {
  $id: 'EventFacts',
  examples: [emptyOf(factFields)],
});

export const ChecklistItem = Type.Object(
  {
    item: enumSchema(ITEM_NAMES),
    title: Type.String(),
    why: Type.String({ description: 'Why it applies to this event.' }),
    granted_by: enumSchema(GRANTORS),
    granted_by_name: Type.String(),
    source: textOrNullSchema({ description: 'The law that requires it; null: common practice.' }),
    due_date: dateOrNullSchema(
      'Counted back from the event to a working day: no Friday, Saturday or holiday. null without an event date.',
    ),
    due_earlier_for: textOrNullSchema({
      description:
        'The Friday, Saturday or holiday from which the due date was moved; null if it was not moved.',
    }),
    overdue: Type.Boolean(),
    ...outputFields(progressFields),
  },
  {
    $id: 'ChecklistItem',
    examples: [
      {
        item: 'accessibility',
        title: messages.items.accessibility.title.he,
        why: messages.items.accessibility.why.he,
        granted_by: 'accessibility_expert',
        granted_by_name: messages.grantors.accessibility_expert.he,
        source: null,
        due_date: '2027-04-29',
        due_earlier_for: calendarMessages.occasions.shabbat.name.he,
        overdue: false,
        ...INITIAL_PROGRESS,
      },
    ],
  },
);
export type ChecklistItem = Static<typeof ChecklistItem>;

export const Checklist = Type.Object(
  {
    dismissed: Type.Boolean({
      description: 'True if the whole list is dismissed: the event’s `compliance_dismissed`.',
    }),
    advice: Type.String({ description: 'Note that the list is advice, not law.' }),
    facts: schemaRef(EventFacts),
    items: Type.Array(schemaRef(ChecklistItem), { description: 'By due date.' }),
  },
  { $id: 'Checklist' },
);
export type Checklist = Static<typeof Checklist>;

export const sharedSchemas = [EventFacts, ChecklistItem, Checklist];

const tags = ['checklist'];
const items = eventRecordFrames({
  tags,
  key: 'item',
  params: eventRecordParams('item', `One of ${ITEM_NAMES.join(', ')} that applies to the event.`),
  record: ChecklistItem,
});
const checklist = (description: string) => recordAnswer(Checklist, 'checklist', description);
const { get, put, post } = eventFrames(tags);

export const checklistSchema = get(
  {
    operationId: 'readChecklist',
    summary: 'Read an event’s compliance checklist',
    description: 'Licences, approvals and other items that follow from the event’s facts. Advice, not law.',
  },
  checklist('The list.'),
);

export const readFactsSchema = get(
  { operationId: 'readFacts', summary: 'Read the facts the checklist follows from' },
  versionedAnswer(EventFacts, 'facts')('The facts.'),
);

export const updateFactsSchema = put(
  {
    operationId: 'updateFacts',
    summary: 'Change the facts the checklist follows from',
    description: 'Partial: an absent fact stays as it is.',
    body: namedSchema(
      'FactChanges',
      Type.Object(inputFields(factFields), {
        additionalProperties: false,
        examples: [{ outdoors: true, alcohol: true }],
      }),
    ),
  },
  versionedAnswer(Checklist, 'checklist')('The resulting list; the ETag is that of the facts.'),
);

export const readItemSchema = items.read({
  operationId: 'readChecklistItem',
  summary: 'Read an item of the checklist',
});

export const updateItemSchema = items.replace(
  {
    operationId: 'updateChecklistItem',
    summary: 'Update the progress of an item',
    description: 'Partial: an absent field stays as it is, null clears the note.',
  },
  Type.Object(inputFields(progressFields), {
    additionalProperties: false,
    examples: [{ state: 'done', note: 'האישור אצל דנה' }, { dismissed: true }],
  }),
);

export const dismissChecklistSchema = post(
  {
    operationId: 'dismissChecklist',
    summary: 'Dismiss the checklist',
    description: 'Sets the event’s `compliance_dismissed`: clients are no longer told to show it.',
  },
  checklist('The list.'),
);
export const restoreChecklistSchema = post(
  {
    operationId: 'restoreChecklist',
    summary: 'Restore the checklist',
    description: 'Undoes a dismissal.',
  },
  checklist('The list.'),
);
