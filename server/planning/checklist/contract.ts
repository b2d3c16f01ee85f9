import { type Static, Type } from 'typebox';
import { named, one } from '../../kernel/http/resource.ts';
import { dateOrNull, oneOf, ref, textOrNull } from '../../kernel/http/shapes.ts';
import { eventParam, inEvent, ofEvent, organizer, versioned } from '../events/area.ts';
import { messages } from './messages.ts';
import { DEFAULT_FACTS, GRANTORS, ITEMS } from './rules.ts';

export const STATES = ['open', 'in_progress', 'done'] as const;
export const LONGEST_NOTE = 5000;

const fact = (name: keyof typeof DEFAULT_FACTS, description: string) =>
  Type.Boolean({ description, default: DEFAULT_FACTS[name] });

const facts = {
  outdoors: fact('outdoors', 'It takes place in the open.'),
  alcohol: fact('alcohol', 'Alcohol is served.'),
  amplified_music: fact('amplified_music', 'There are loudspeakers.'),
  temporary_structures: fact('temporary_structures', 'A stage, a tent or the like is put up.'),
  fire_effects: fact('fire_effects', 'Fireworks, torches or the like.'),
};

export const EventFacts = Type.Object(facts, { $id: 'EventFacts', examples: [{ ...DEFAULT_FACTS }] });

export const ChecklistItem = Type.Object(
  {
    item: oneOf(ITEMS),
    title: Type.String(),
    why: Type.String({ description: 'Why it applies to this event.' }),
    granted_by: oneOf(GRANTORS),
    granted_by_name: Type.String(),
    source: textOrNull({ description: 'The law it comes from; null: practice.' }),
    due_date: dateOrNull(
      'Counted back from the event, never a Friday or Saturday; null without an event date.',
    ),
    overdue: Type.Boolean(),
    state: oneOf(STATES),
    dismissed: Type.Boolean({ description: 'The organizer says it does not concern them.' }),
    note: textOrNull(),
  },
  {
    $id: 'ChecklistItem',
    examples: [
      {
        item: 'accessibility',
        ...messages.items.accessibility,
        granted_by: 'accessibility_expert',
        granted_by_name: messages.grantors.accessibility_expert,
        source: null,
        due_date: '2027-04-29',
        overdue: false,
        state: 'open',
        dismissed: false,
        note: null,
      },
    ],
  },
);
export type ChecklistItem = Static<typeof ChecklistItem>;

export const Checklist = Type.Object(
  {
    dismissed: Type.Boolean({ description: 'As a whole: the event’s `compliance_dismissed`.' }),
    advice: Type.String({ description: 'What the list is, and is not.' }),
    facts: ref(EventFacts),
    items: Type.Array(ref(ChecklistItem), { description: 'What is due first stands first.' }),
  },
  { $id: 'Checklist' },
);
export type Checklist = Static<typeof Checklist>;

export const sharedSchemas = [EventFacts, ChecklistItem, Checklist];

const tags = ['checklist'];
const items = organizer.resource({
  tags,
  called: 'item',
  within: eventParam,
  params: inEvent('item', `One of ${ITEMS.join(', ')} that applies to the event.`),
  record: ChecklistItem,
  errors: ofEvent,
  shown: versioned(ChecklistItem, 'item'),
});
const checklist = (description: string) => one(Checklist, 'checklist', description);

export const checklistSchema = organizer.get({
  tags,
  operationId: 'readChecklist',
  summary: 'Read what an event should have',
  description: 'Licences, approvals and the like that follow from the event’s facts. Advice, not law.',
  params: eventParam,
  response: { 200: checklist('The list.') },
  errors: ofEvent,
});

export const readFactsSchema = organizer.get({
  tags,
  operationId: 'readFacts',
  summary: 'Read the facts the checklist follows from',
  params: eventParam,
  response: { 200: versioned(EventFacts, 'facts')('The facts.') },
  errors: ofEvent,
});

export const updateFactsSchema = organizer.put({
  tags,
  operationId: 'updateFacts',
  summary: 'Say what the event is like',
  description: 'Partial: an absent fact stays as it is.',
  params: eventParam,
  body: named(
    'FactChanges',
    Type.Object(Type.Partial(Type.Object(facts)).properties, {
      examples: [{ outdoors: true, alcohol: true }],
    }),
  ),
  response: {
    200: versioned(Checklist, 'checklist')('The list that follows; the ETag is that of the facts.'),
  },
  errors: ofEvent,
});

export const readItemSchema = items.read({
  operationId: 'readChecklistItem',
  summary: 'Read an item of the checklist',
});

export const updateItemSchema = items.replace(
  {
    operationId: 'updateChecklistItem',
    summary: 'Say how far an item is',
    description: 'Partial: an absent field stays as it is, null clears the note.',
  },
  Type.Object(
    {
      state: Type.Optional(oneOf(STATES)),
      dismissed: Type.Optional(Type.Boolean()),
      note: Type.Optional(textOrNull({ maxLength: LONGEST_NOTE })),
    },
    { examples: [{ state: 'done', note: 'האישור אצל דנה' }, { dismissed: true }] },
  ),
);

const whole = (operationId: string, summary: string, description: string) =>
  organizer.post({
    tags,
    operationId,
    summary,
    description,
    params: eventParam,
    response: { 200: checklist('The list.') },
    errors: ofEvent,
  });

export const dismissSchema = whole(
  'dismissChecklist',
  'Dismiss the checklist',
  'Sets the event’s `compliance_dismissed`: clients are no longer told to show it.',
);
export const restoreSchema = whole('restoreChecklist', 'Bring the checklist back', 'Takes a dismissal back.');
