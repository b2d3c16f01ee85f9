/** The columns of a guest list, and what people call them. The first name is the one an export writes. */
export const COLUMNS = {
  name: {
    hebrew: ['שם', 'שם מלא', 'שם האורח', 'אורח', 'שם המוזמן', 'מוזמן'],
    english: ['name', 'full name', 'guest', 'guest name'],
  },
  first_name: { hebrew: ['שם פרטי'], english: ['first name', 'given name'] },
  last_name: { hebrew: ['שם משפחה', 'משפחה'], english: ['last name', 'family name', 'surname'] },
  phone: {
    hebrew: ['טלפון', 'טלפון נייד', 'נייד', 'פלאפון', 'סלולרי', 'מספר טלפון', 'מס טלפון'],
    english: ['phone', 'phone number', 'mobile', 'cell', 'telephone', 'whatsapp'],
  },
  email: {
    hebrew: ['דוא"ל', 'דואל', 'מייל', 'אימייל', 'כתובת מייל'],
    english: ['email', 'e-mail', 'mail', 'email address'],
  },
  tags: {
    hebrew: ['תגיות', 'תגית', 'צד', 'קבוצה', 'קרבה', 'קטגוריה'],
    english: ['tags', 'tag', 'side', 'group', 'category', 'relation'],
  },
  language: { hebrew: ['שפה'], english: ['language', 'lang'] },
  party_size: {
    hebrew: ['מספר מוזמנים', 'מוזמנים', 'כמות', 'כמות מוזמנים', 'כמה מוזמנים', 'מס מוזמנים', 'מספר'],
    english: ['party size', 'invited', 'count', 'size', 'number of guests'],
  },
  rsvp_status: {
    hebrew: ['תשובה', 'סטטוס', 'אישור הגעה', 'הגעה', 'מגיע'],
    english: ['rsvp', 'rsvp status', 'status', 'answer', 'attending'],
  },
  coming: {
    hebrew: ['מספר מגיעים', 'מגיעים', 'כמה מגיעים', 'כמות מגיעים'],
    english: ['coming', 'attending count', 'number coming'],
  },
  kashrut_level: {
    hebrew: ['כשרות', 'רמת כשרות'],
    english: ['kashrut', 'kashrut level', 'kosher', 'kosher level'],
  },
  vegetarian: { hebrew: ['צמחוני', 'צמחונית', 'צמחונים'], english: ['vegetarian'] },
  vegan: { hebrew: ['טבעוני', 'טבעונית', 'טבעונים'], english: ['vegan'] },
  allergies: { hebrew: ['אלרגיות', 'אלרגיה', 'רגישויות'], english: ['allergies', 'allergy'] },
  note: { hebrew: ['הערה', 'הערות'], english: ['note', 'notes', 'comment', 'comments'] },
  message: { hebrew: ['ברכה', 'מילים למארחים'], english: ['message', 'greeting'] },
} as const;

export type Column = keyof typeof COLUMNS;

const BY_HEADING: ReadonlyMap<string, Column> = new Map(
  Object.entries(COLUMNS).flatMap(([column, { hebrew, english }]) =>
    [column, ...hebrew, ...english].map((heading) => [headingForm(heading), column as Column] as const),
  ),
);

/** Which column each heading names, in their order; undefined for those we do not know. */
export function columnsOf(headings: readonly string[]): (Column | undefined)[] {
  return headings.map((heading) => BY_HEADING.get(headingForm(heading)));
}

/** Capitals, quotes, dots, dashes, direction marks and an added colon or star make no difference. */
function headingForm(heading: string): string {
  return heading
    .normalize('NFKC')
    .replace(/[\p{Cf}\u0591-\u05C7]/gu, '')
    .replace(/["'`´״׳’”.:*?]/g, '')
    .replace(/[\s_\-־]+/g, ' ')
    .trim()
    .toLowerCase();
}
