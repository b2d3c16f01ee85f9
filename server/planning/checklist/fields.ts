import * as fieldTypes from '../../kernel/field-types.ts';
import type { Words } from '../../kernel/languages.ts';

export const PROGRESS_STATES = ['open', 'in_progress', 'done'] as const;

function fact<const B extends boolean>(empty: B, description: string, label: Words) {
  return { type: fieldTypes.withDescription(fieldTypes.yesOrNo(), description), empty, label };
}

/**
 * Facts about an event that decide which licences it needs and that its own fields don't cover, with their defaults.
 */
export const factFields = {
  outdoors: fact(false, 'The event takes place outdoors.', {
    he: 'אירוע בחוץ',
    ar: 'مناسبة في الهواء الطلق',
    en: 'Outdoors',
  }),
  alcohol: fact(false, 'Alcohol is served.', { he: 'אלכוהול', ar: 'كحول', en: 'Alcohol' }),
  amplified_music: fact(true, 'Loudspeakers are used; assumed unless set to false.', {
    he: 'מוזיקה מוגברת',
    ar: 'موسيقى بمكبّرات',
    en: 'Amplified music',
  }),
  temporary_structures: fact(false, 'A stage, a tent or the like is put up.', {
    he: 'מבנים ארעיים',
    ar: 'منشآت مؤقتة',
    en: 'Temporary structures',
  }),
  fire_effects: fact(false, 'Fireworks, torches or the like.', {
    he: 'אפקטים של אש',
    ar: 'مؤثرات نارية',
    en: 'Fire effects',
  }),
};
export type ChecklistFacts = fieldTypes.ValuesOf<typeof factFields>;

/** Progress of a checklist item. */
export const progressFields = {
  state: {
    type: fieldTypes.oneOf(PROGRESS_STATES),
    empty: 'open',
    label: { he: 'מצב הפריט', ar: 'حالة البند', en: 'State' },
  },
  dismissed: {
    type: fieldTypes.withDescription(
      fieldTypes.yesOrNo(),
      'The organizer says that the item does not apply.',
    ),
    empty: false,
    label: { he: 'הוסר מהרשימה', ar: 'أُزيل من القائمة', en: 'Dismissed' },
  },
  note: { type: fieldTypes.orNull(fieldTypes.text(5000)), empty: null },
} as const;
export type Progress = fieldTypes.ValuesOf<typeof progressFields>;

/** Progress of a checklist item that nobody has changed yet: it has no row, and version 0. */
export const INITIAL_PROGRESS: Progress = fieldTypes.emptyOf(progressFields);
