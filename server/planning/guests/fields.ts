import * as fieldTypes from '../../kernel/field-types.ts';
import { LANGUAGE_NAMES, type Words } from '../../kernel/languages.ts';
import { type Answers, givenAnswers } from '../questions/answers.ts';
import { phone } from './phone.ts';
import {
  type Cell,
  countCell,
  emailCell,
  LANGUAGE_WORDS,
  limitCell,
  noteCell,
  numberCell,
  phoneCell,
  type SheetLanguage,
  statusCell,
  sumCell,
  tagsCell,
  textCell,
  wordCell,
} from './sheets/cells.ts';

export const RSVP_STATUSES = ['confirmed', 'pending', 'declined'] as const;
/** With the answer of who does not know yet: `rsvp_status` stays `pending`. */
export const ANSWERS = [...RSVP_STATUSES, 'maybe'] as const;
export const LARGEST_PARTY = 100;
const MOST_PLUS_ONES = LARGEST_PARTY - 1;
export const MOST_TAGS = 20;
/** The longest texts we keep, in UTF-16 units. */
export const LENGTHS = {
  name: 200,
  email: 254,
  tag: 50,
  allergies: 500,
  note: 2000,
  message: 2000,
  company: 200,
  role: 200,
} as const;

const LONGEST_PHONE = 40;

/** A phone number in any usual form; without a country code it is Israeli. */
export const phoneNumber: fieldTypes.FieldType<string> = {
  read: phone,
  schema: {
    // Spreadsheets make a number of it.
    type: ['string', 'number'],
    maxLength: LONGEST_PHONE,
    description: 'In any usual form; without a country code it is Israeli.',
  },
  shows: { type: 'string', description: 'E.164.' },
};

/** How many people come with a yes. */
export const people = fieldTypes.wholeNumber(1, LARGEST_PARTY);

/** How many come. Nobody comes without a yes: what says so is as good as nothing said. */
const coming: fieldTypes.FieldType<number | null> = {
  read: (field, value) => (value === null || value === 0 ? null : people.read(field, value)),
  schema: {
    type: ['integer', 'null'],
    minimum: 0,
    maximum: LARGEST_PARTY,
    description: 'With a yes only, and then at least 1; party_size unless given.',
  },
};

interface Headings {
  /** What people call the column in each language; the first one is what an export writes. */
  headings: Readonly<Record<SheetLanguage, readonly string[]>>;
}

interface SheetField extends Headings {
  label: Words;
  cell: Cell<never>;
}

interface GuestField extends Partial<SheetField> {
  label: Words;
  type: fieldTypes.FieldType<unknown>;
  /** What stands there while nobody said anything; a field without it has to be given. */
  empty?: unknown;
  /** One in the reference, where `empty` is none. */
  example?: unknown;
  /** As the database has it. */
  column: 'text' | 'text[]' | 'integer' | 'jsonb';
  /** How the API shows it, where that is not how it takes it. */
  shown?: string;
  /** Guests say it of themselves, by their link. */
  byGuest?: true;
  /** Erased with the guest's personal data. */
  personal?: true;
}

/** How many of a kind of meal somebody wants. `cell` takes words of its own for one. */
function meals<const H extends Headings['headings']>(label: Words, headings: H) {
  return {
    type: fieldTypes.orEmpty(fieldTypes.wholeNumber(0, LARGEST_PARTY), 0),
    empty: 0,
    column: 'integer',
    shown: 'Meals.',
    byGuest: true,
    label,
    headings,
    cell: countCell(Object.values(headings).flat()),
  } as const;
}

/** What people may eat that others do not, in numbers of meals. */
const dietFields = {
  vegetarian: meals(
    { he: 'צמחוני', ar: 'نباتي', en: 'Vegetarian' },
    {
      hebrew: ['צמחוני', 'צמחונית', 'צמחונים', 'צמחוניים', 'מנות צמחוניות'],
      arabic: ['نباتي', 'نباتية', 'نباتيون'],
      english: ['vegetarian', 'vegetarians', 'vegetarian meals'],
    },
  ),
  vegan: meals(
    { he: 'טבעוני', ar: 'نباتي صرف', en: 'Vegan' },
    {
      hebrew: ['טבעוני', 'טבעונית', 'טבעונים', 'טבעוניים', 'מנות טבעוניות'],
      arabic: ['نباتي صرف', 'فيغان'],
      english: ['vegan', 'vegans', 'vegan meals'],
    },
  ),
  kosher: meals(
    { he: 'מנות כשרות', ar: 'وجبات كوشير', en: 'Kosher meals' },
    { hebrew: ['מנות כשרות'], arabic: ['وجبات كوشير'], english: ['kosher meals'] },
  ),
  mehadrin: meals(
    { he: 'מנות מהדרין (גלאט)', ar: 'وجبات مهدرين', en: 'Mehadrin (glatt) meals' },
    {
      hebrew: ['מנות מהדרין', 'מהדרין', 'גלאט', 'מנות גלאט'],
      arabic: ['وجبات مهدرين', 'مهدرين'],
      english: ['mehadrin meals', 'mehadrin', 'glatt', 'glatt meals'],
    },
  ),
  chalav_yisrael: meals(
    { he: 'מנות חלב ישראל', ar: 'وجبات حلاف يسرائيل', en: 'Chalav Yisrael meals' },
    {
      hebrew: ['מנות חלב ישראל', 'חלב ישראל'],
      arabic: ['وجبات حلاف يسرائيل', 'وجبات حليب يسرائيل'],
      english: ['chalav yisrael meals', 'chalav yisrael'],
    },
  ),
  childrens_meals: meals(
    { he: 'מנות ילדים', ar: 'وجبات أطفال', en: 'Children’s meals' },
    {
      hebrew: ['מנות ילדים', 'מנת ילדים'],
      arabic: ['وجبات أطفال'],
      english: ['childrens meals', 'kids meals'],
    },
  ),
} as const;

export type Diet = keyof typeof dietFields;
export const DIETS = Object.keys(dietFields) as Diet[];

/**
 * What is kept of a guest besides their answer: everything that is said of a field stands here, and bodies, rows,
 * columns, import, export, the guest's own answer and erasing follow. In the order the API shows; an export's is below.
 */
export const guestFields = {
  name: {
    type: fieldTypes.filled(fieldTypes.line(LENGTHS.name)),
    column: 'text',
    example: 'משפחת כהן',
    label: { he: 'שם', ar: 'الاسم', en: 'Name' },
    headings: {
      hebrew: [
        'שם',
        'שם מלא',
        'שם האורח',
        'אורח',
        'אורחים',
        'שם המוזמן',
        'מוזמן',
        'שם המוזמנים',
        'שם ומשפחה',
        'שם המשפחה והפרטי',
      ],
      arabic: ['الاسم', 'الاسم الكامل', 'اسم الضيف', 'الضيف', 'اسم المدعو', 'المدعو', 'اسم'],
      english: ['name', 'full name', 'guest', 'guest name', 'guests', 'display name'],
    },
    cell: textCell,
  },
  phone: {
    type: fieldTypes.orNull(phoneNumber),
    shown: 'E.164. One guest a number.',
    empty: null,
    column: 'text',
    personal: true,
    example: '+972501234567',
    label: { he: 'טלפון', ar: 'الهاتف', en: 'Phone' },
    headings: {
      hebrew: [
        'טלפון',
        'טלפון נייד',
        'נייד',
        'פלאפון',
        'פלאפון נייד',
        'סלולרי',
        'סלולארי',
        'מספר טלפון',
        'מס טלפון',
        'מספר נייד',
        'טלפון נוסף',
        'נייד נוסף',
        'טלפונים',
        'וואטסאפ',
      ],
      arabic: [
        'الهاتف',
        'هاتف',
        'رقم الهاتف',
        'الجوال',
        'رقم الجوال',
        'المحمول',
        'الموبايل',
        'موبايل',
        'تلفون',
        'واتساب',
      ],
      english: [
        'phone',
        'phone number',
        'mobile',
        'mobile phone',
        'cell',
        'cell phone',
        'telephone',
        'whatsapp',
        'home phone',
        'business phone',
        'phone value',
      ],
    },
    cell: phoneCell,
  },
  email: {
    type: fieldTypes.orNull(fieldTypes.described(fieldTypes.mailAddress(), 'One guest an address.')),
    empty: null,
    column: 'text',
    shown: 'In small letters.',
    personal: true,
    example: 'cohen@example.com',
    label: { he: 'מייל', ar: 'البريد الإلكتروني', en: 'Email' },
    headings: {
      hebrew: ['דוא"ל', 'דואל', 'מייל', 'אימייל', 'כתובת מייל', 'כתובת דואל', 'דואר אלקטרוני'],
      arabic: ['البريد الإلكتروني', 'بريد إلكتروني', 'البريد', 'الإيميل', 'إيميل'],
      english: ['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'e-mail value'],
    },
    cell: emailCell,
  },
  tags: {
    type: fieldTypes.orEmpty(fieldTypes.texts({ most: MOST_TAGS, longest: LENGTHS.tag }), []),
    empty: [] as string[],
    column: 'text[]',
    shown: 'Side, group, table: any texts.',
    personal: true,
    example: ['צד הכלה', 'עבודה'],
    label: { he: 'תגיות', ar: 'الوسوم', en: 'Tags' },
    headings: {
      hebrew: ['תגיות', 'תגית', 'צד', 'קבוצה', 'קרבה', 'קירבה', 'קטגוריה', 'קשר', 'סוג קרבה', 'קבוצות'],
      arabic: ['الوسوم', 'وسوم', 'الطرف', 'المجموعة', 'مجموعة', 'القرابة', 'صلة القرابة', 'الفئة', 'طرف'],
      english: ['tags', 'tag', 'side', 'group', 'category', 'categories', 'relation', 'relationship'],
    },
    cell: tagsCell,
  },
  party_size: {
    type: fieldTypes.orEmpty(fieldTypes.wholeNumber(1, LARGEST_PARTY), 1),
    empty: 1,
    column: 'integer',
    shown: 'People invited, the guest included.',
    example: 2,
    label: { he: 'מספר המוזמנים', ar: 'عدد المدعوين', en: 'Party size' },
    headings: {
      hebrew: [
        'מספר מוזמנים',
        'מוזמנים',
        'כמות',
        'כמות מוזמנים',
        'כמה מוזמנים',
        'כמה',
        'מס מוזמנים',
        'מספר',
        'מס אנשים',
        'מספר אנשים',
        'כמות אנשים',
        'כמה אנשים',
        'אנשים',
        'נפשות',
        'מספר נפשות',
        'מס נפשות',
        'סהכ מוזמנים',
        'סהכ',
      ],
      arabic: ['عدد المدعوين', 'العدد', 'عدد', 'عدد الأشخاص', 'عدد الأفراد', 'المدعوون', 'الكمية'],
      english: [
        'party size',
        'invited',
        'count',
        'size',
        'number of guests',
        'number of people',
        'people',
        'party',
        'headcount',
      ],
    },
    cell: numberCell,
  },
  party_children: {
    type: fieldTypes.orEmpty(fieldTypes.wholeNumber(0, LARGEST_PARTY), 0),
    empty: 0,
    column: 'integer',
    shown: 'How many of `party_size` are children.',
    example: 1,
    label: { he: 'ילדים', ar: 'الأطفال', en: 'Children' },
    headings: {
      hebrew: ['ילדים', 'מספר ילדים', 'מס ילדים', 'כמות ילדים', 'תינוקות'],
      arabic: ['الأطفال', 'أطفال', 'عدد الأطفال'],
      english: ['children', 'kids', 'number of children', 'babies'],
    },
    cell: sumCell,
  },
  max_plus_ones: {
    type: fieldTypes.orNull(fieldTypes.wholeNumber(0, MOST_PLUS_ONES)),
    empty: null,
    column: 'integer',
    shown:
      'People beyond `party_size` whom this guest may bring, while the event’s own limit has room; null: as many as it has.',
    label: { he: 'מלווים נוספים', ar: 'مرافقون إضافيون', en: 'Most plus-ones' },
    headings: {
      hebrew: ['מלווים נוספים'],
      arabic: ['مرافقون إضافيون'],
      english: ['most plus-ones', 'max plus ones'],
    },
    cell: limitCell,
  },
  ...dietFields,
  allergies: {
    type: fieldTypes.orNull(fieldTypes.text(LENGTHS.allergies)),
    empty: null,
    column: 'text',
    byGuest: true,
    personal: true,
    example: 'אגוזים',
    label: { he: 'אלרגיות', ar: 'الحساسية', en: 'Allergies' },
    headings: {
      hebrew: [
        'אלרגיות',
        'אלרגיה',
        'רגישויות',
        'רגישות',
        'אלרגיות ורגישויות',
        'אלרגיות/רגישויות',
        'רגישויות/אלרגיות',
        'רגישויות למזון',
        'הערות אוכל',
        'הערות לאוכל',
        'הערות מזון',
        'העדפות אוכל',
        'העדפות מזון',
        'כשרות/הערות אוכל',
        'אלרגיות/הערות אוכל',
      ],
      arabic: [
        'الحساسية',
        'حساسية',
        'حساسية الطعام',
        'ملاحظات الطعام',
        'ملاحظات عن الطعام',
        'تفضيلات الطعام',
        'متطلبات غذائية',
      ],
      english: [
        'allergies',
        'allergy',
        'food allergies',
        'food notes',
        'food preferences',
        'dietary notes',
        'dietary needs',
        'dietary requirements',
        'dietary restrictions',
        'kashrut/food notes',
        'allergies/dietary requirements',
      ],
    },
    cell: noteCell,
  },
  answers: {
    type: givenAnswers,
    empty: {} as Answers,
    column: 'jsonb',
    byGuest: true,
    personal: true,
    label: { he: 'תשובות לשאלות', ar: 'الإجابات عن الأسئلة', en: 'Answers' },
  },
  message: {
    type: fieldTypes.orNull(fieldTypes.text(LENGTHS.message)),
    empty: null,
    column: 'text',
    shown: 'The guest’s word to the hosts.',
    byGuest: true,
    personal: true,
    example: 'מזל טוב!',
    label: { he: 'ברכה למארחים', ar: 'كلمة لأصحاب الدعوة', en: 'Word to the hosts' },
    headings: {
      hebrew: ['ברכה', 'מילים למארחים'],
      arabic: ['كلمة لأصحاب الدعوة', 'تهنئة', 'رسالة'],
      english: ['message', 'greeting'],
    },
    cell: textCell,
  },
  note: {
    type: fieldTypes.orNull(fieldTypes.text(LENGTHS.note)),
    empty: null,
    column: 'text',
    shown: 'The organizer’s own; the guest never sees it.',
    personal: true,
    label: { he: 'הערה', ar: 'ملاحظة', en: 'Note' },
    headings: {
      hebrew: ['הערה', 'הערות'],
      arabic: ['ملاحظة', 'ملاحظات'],
      english: ['note', 'notes', 'comment', 'comments', 'remarks'],
    },
    cell: noteCell,
  },
  language: {
    type: fieldTypes.orNull(fieldTypes.oneOf(LANGUAGE_NAMES)),
    empty: null,
    column: 'text',
    shown: 'null: the event’s.',
    example: 'hebrew',
    label: { he: 'שפה', ar: 'اللغة', en: 'Language' },
    headings: {
      hebrew: ['שפה'],
      arabic: ['اللغة', 'لغة'],
      english: ['language', 'lang'],
    },
    cell: wordCell(LANGUAGE_WORDS),
  },
  company: {
    type: fieldTypes.orNull(fieldTypes.line(LENGTHS.company)),
    empty: null,
    column: 'text',
    personal: true,
    example: 'אור טכנולוגיות',
    label: { he: 'חברה', ar: 'الشركة', en: 'Company' },
    headings: {
      hebrew: ['חברה', 'ארגון', 'מקום עבודה', 'שם החברה'],
      arabic: ['الشركة', 'المؤسسة', 'جهة العمل'],
      english: ['company', 'organization', 'organisation', 'organization name', 'employer'],
    },
    cell: textCell,
  },
  role: {
    type: fieldTypes.orNull(fieldTypes.line(LENGTHS.role)),
    empty: null,
    column: 'text',
    shown: 'What they do there.',
    personal: true,
    example: 'מהנדסת',
    label: { he: 'תפקיד', ar: 'الوظيفة', en: 'Role' },
    headings: {
      hebrew: ['תפקיד'],
      arabic: ['الوظيفة', 'المنصب', 'المسمى الوظيفي'],
      english: ['role', 'job title', 'position', 'organization title'],
    },
    cell: textCell,
  },
} as const satisfies Readonly<Record<string, GuestField>>;

/** What an organizer says of a guest's answer. */
export const saidFields = {
  rsvp_status: {
    type: fieldTypes.orNull(
      fieldTypes.described(
        fieldTypes.oneOf(ANSWERS),
        '`maybe`: they don’t know yet, and take no place; it stays `pending`.',
      ),
    ),
    empty: null,
  },
  maybe: {
    type: fieldTypes.orEmpty(
      fieldTypes.described(fieldTypes.yesOrNo(), 'With `pending`: the same as `rsvp_status: maybe`.'),
      false,
    ),
    empty: false,
    label: { he: 'מתלבטים', ar: 'مترددون', en: 'Maybe' },
  },
  coming: { type: coming, empty: null },
  coming_children: {
    type: fieldTypes.orNull(
      fieldTypes.described(
        fieldTypes.wholeNumber(0, LARGEST_PARTY),
        'How many of `coming` are children; unless given, those of the party who come when its adults do.',
      ),
    ),
    empty: null,
    label: { he: 'ילדים מגיעים', ar: 'الأطفال القادمون', en: 'Children coming' },
  },
} as const;

/** How an organizer seats a guest knowingly. */
export const seatingFields = {
  over_limit: {
    type: fieldTypes.orEmpty(
      fieldTypes.described(
        fieldTypes.yesOrNo(),
        'With a yes: they get their places although there are not enough left. The history says so.',
      ),
      false,
    ),
    empty: false,
    label: { he: 'הושבה מעבר למגבלה', ar: 'الإجلاس فوق الحد', en: 'Over the limit' },
  },
} as const;

/** What an organizer says of a guest. */
export const guestBodyFields = { ...guestFields, ...saidFields, ...seatingFields };

/** What is known of a guest besides their answer. */
export type Details = fieldTypes.ValuesOf<typeof guestFields>;
export type DetailField = keyof Details;

const details = Object.entries(guestFields) as [DetailField, GuestField][];
const namesOf = (fields: [DetailField, GuestField][]): DetailField[] => fields.map(([name]) => name);

export const detailFields: readonly DetailField[] = namesOf(details);

/** A guest of whom nothing is said but the name. */
export const NO_DETAILS = fieldTypes.emptyOf(guestFields);

type OwnField = {
  [K in DetailField]: (typeof guestFields)[K] extends { byGuest: true } ? K : never;
}[DetailField];

/** What guests say of themselves, by their link. */
export const ownFields = Object.fromEntries(details.filter(([, { byGuest }]) => byGuest)) as Pick<
  typeof guestFields,
  OwnField
>;

/** What is erased with a guest's personal data; the name is put out instead. */
export const personalFields = namesOf(details.filter(([, { personal }]) => personal)) as Exclude<
  DetailField,
  'name'
>[];

/** The answer as sheets have it: `coming` goes with a yes. */
const answerFields = {
  rsvp_status: {
    label: { he: 'תשובה', ar: 'الرد', en: 'Answer' },
    headings: {
      hebrew: [
        'תשובה',
        'סטטוס',
        'אישור הגעה',
        'אישורי הגעה',
        'סטטוס הגעה',
        'סטטוס אישור',
        'הגעה',
        'מגיע',
        'אישר הגעה',
        'אישרו הגעה',
      ],
      arabic: ['الرد', 'الحالة', 'تأكيد الحضور', 'الحضور', 'حالة الرد'],
      english: ['rsvp', 'rsvp status', 'status', 'answer', 'attending', 'response', 'reply'],
    },
    cell: statusCell,
  },
  coming: {
    label: { he: 'מספר המגיעים', ar: 'عدد الحاضرين', en: 'Number coming' },
    headings: {
      hebrew: ['מספר מגיעים', 'מגיעים', 'כמה מגיעים', 'כמות מגיעים', 'מס מגיעים', 'מספר המגיעים'],
      arabic: ['عدد الحاضرين', 'عدد القادمين', 'القادمون', 'الحاضرون'],
      english: ['coming', 'attending count', 'number coming', 'number attending'],
    },
    cell: numberCell,
  },
  coming_children: {
    label: saidFields.coming_children.label,
    headings: {
      hebrew: ['ילדים מגיעים', 'כמה ילדים מגיעים'],
      arabic: ['الأطفال القادمون'],
      english: ['children coming', 'kids coming'],
    },
    cell: limitCell,
  },
} as const satisfies Readonly<Record<string, SheetField>>;

/** Whose row it is: an import knows the guest by it first. */
const id = {
  label: { he: 'מזהה', ar: 'المعرّف', en: 'Id' },
  headings: { hebrew: ['מזהה'], arabic: ['المعرّف'], english: ['id'] },
  cell: textCell,
} as const satisfies SheetField;

const {
  name,
  phone: phoneField,
  email,
  tags,
  party_size,
  party_children,
  answers: _,
  ...others
} = guestFields;

/** The columns of a guest list that is exported, in their order; the event's questions have columns of their own. */
export const sheetFields = {
  name,
  phone: phoneField,
  email,
  tags,
  party_size,
  party_children,
  ...answerFields,
  ...others,
  id,
};
