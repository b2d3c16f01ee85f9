import * as fieldTypes from '../../kernel/field-types.ts';
import { fieldsOf, readList, refuseUnknown } from '../../kernel/fields.ts';
import { LANGUAGE_NAMES, type Words } from '../../kernel/languages.ts';
import { type Answers, answersField } from '../questions/answers.ts';
import { readPhone } from './phone.ts';
import {
  type Cell,
  countCell,
  LANGUAGE_WORDS,
  limitCell,
  noteCell,
  numberCell,
  type SheetLanguage,
  statusCell,
  sumCell,
  tagsCell,
  textCell,
  wordCell,
} from './sheets/cells.ts';
import { emailCell, otherEmailsCell, otherPhonesCell, phoneCell } from './sheets/contact-cells.ts';

export const RSVP_STATUSES = ['confirmed', 'pending', 'declined'] as const;
/** Answers that a guest can give. `maybe` is stored as `rsvp_status: pending` with `maybe: true`. */
export const ANSWERS = [...RSVP_STATUSES, 'maybe'] as const;
export const LARGEST_PARTY = 100;
export const MOST_PLUS_ONES = LARGEST_PARTY - 1;
export const MOST_TAGS = 20;
/** Maximum number of a guest's other phone numbers, and of their other email addresses. */
export const MOST_OTHERS = 5;
/** Maximum lengths of a guest's texts, in UTF-16 code units. */
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

/** Type of a phone number, in any usual form. A number without a country code is Israeli. */
export const phoneNumber: fieldTypes.FieldType<string> = {
  read: readPhone,
  schema: {
    // JSON numbers are accepted as phone numbers, because spreadsheets store phone numbers as numbers.
    type: ['string', 'number'],
    maxLength: LONGEST_PHONE,
    description: 'In any usual form; without a country code it is Israeli.',
  },
  shows: { type: 'string', description: 'E.164.' },
};

/** Type of the number of people who come, which a guest gives with a yes. */
export const peopleCount = fieldTypes.wholeNumber(1, LARGEST_PARTY);

/** Type of the number of people who come. Without a yes it is 0, so a request's 0 or null counts as "not given". */
const coming: fieldTypes.FieldType<number | null> = {
  read: (field, value) => (value === null || value === 0 ? null : peopleCount.read(field, value)),
  schema: {
    type: ['integer', 'null'],
    minimum: 0,
    maximum: LARGEST_PARTY,
    description: 'Only with a yes, and then at least 1. The default is `party_size`.',
  },
};

interface Headings {
  /** Headings of the spreadsheet column for this field, in each language. An export writes the first heading. */
  headings: Readonly<Record<SheetLanguage, readonly string[]>>;
}

interface SheetField extends Headings {
  label: Words;
  cell: Cell<never>;
}

interface GuestField extends Partial<SheetField> {
  label: Words;
  type: fieldTypes.FieldType<unknown>;
  /** Default value of the guest's field. A field without a default is required. */
  empty?: unknown;
  /** Example of the guest's field for the API reference, if `empty` is not a good example. */
  example?: unknown;
  /** Type of the database column for the guest's field. */
  column: 'text' | 'text[]' | 'integer' | 'jsonb';
  /** Description of the guest's field in responses, if it differs from the description in request bodies. */
  shown?: string;
  /** True if guests set the field themselves, by their personal link. */
  byGuest?: true;
  /** True if the field is erased with the guest's personal data. */
  personal?: true;
  /** True if the field is left out for callers who see no contact details of guests. */
  contact?: true;
}

/**
 * Type of the number of meals of one kind. A spreadsheet cell may repeat the kind's name instead of a number; this
 * counts as one meal.
 */
function meals<const H extends Headings['headings']>(label: Words, headings: H) {
  return {
    type: fieldTypes.orEmpty(fieldTypes.wholeNumber(0, LARGEST_PARTY), 0),
    empty: 0,
    column: 'integer',
    shown: 'Number of such meals.',
    byGuest: true,
    label,
    headings,
    cell: countCell(Object.values(headings).flat()),
  } as const;
}

/** Special diets of a guest; the value of each is a number of meals. */
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

const LONGEST_MEMBER_ID = 20;

/** Fields of a member of a party. */
const memberFields = {
  id: { type: fieldTypes.orEmpty(fieldTypes.text(LONGEST_MEMBER_ID), ''), empty: '' },
  name: { type: fieldTypes.orNull(fieldTypes.line(LENGTHS.name)), empty: null },
  child: { type: fieldTypes.orEmpty(fieldTypes.yesOrNo(), false), empty: false },
  meal: { type: fieldTypes.orNull(fieldTypes.oneOf(DIETS)), empty: null },
  allergies: { type: fieldTypes.orNull(fieldTypes.text(LENGTHS.allergies)), empty: null },
  coming: { type: fieldTypes.orEmpty(fieldTypes.yesOrNo(), true), empty: true },
} as const;

/**
 * Member of a party who is known. `id` is unique within the guest and empty in a body for a new member; a member
 * without a `name` is somebody's companion; `meal` is null for the regular meal; `coming` counts only with a yes.
 */
export type Member = fieldTypes.ValuesOf<typeof memberFields>;

const memberNames = Object.keys(memberFields);
const memberSchemas = (title: string, of: (type: fieldTypes.FieldType<unknown>) => object) => ({
  title,
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(Object.entries(memberFields).map(([name, { type }]) => [name, of(type)])),
});

/** Members of a party in a body. Whether they fit the guest is checked later (`members.ts`). */
const memberList: fieldTypes.FieldType<readonly Member[]> = {
  read: (field, value) =>
    readList(field, value, LARGEST_PARTY).map((item, index) => {
      const place = `${field}[${index}]`;
      const given = fieldsOf(item, place);
      refuseUnknown(memberNames, given, `${place}.`);
      return fieldTypes.readWhole(memberFields, given, undefined, `${place}.`);
    }),
  schema: {
    type: 'array',
    maxItems: LARGEST_PARTY,
    items: memberSchemas('NewMember', ({ schema }) => schema),
    description:
      'Replaces the list. A member keeps its `id`, a new one has none. Counts that the body leaves out follow.',
  },
  shows: {
    type: 'array',
    items: { ...memberSchemas('Member', ({ schema, shows = schema }) => shows), required: memberNames },
  },
};

/**
 * Fields of a guest apart from the answer. All properties of a field are described here once; bodies, rows, columns,
 * import, export, the guest page and the erasing of data are derived from it. The order is that of the API; the order
 * of an export is below.
 */
export const guestFields = {
  name: {
    type: fieldTypes.nonEmpty(fieldTypes.line(LENGTHS.name)),
    column: 'text',
    example: 'משפחת כהן',
    label: { he: 'שם', ar: 'الاسم', en: 'Name' },
    headings: {
      hebrew: [
        'שם',
        'שם מלא',
        'שם האורח',
        'אורח',
        'שם המוזמן',
        'מוזמן',
        'שם המוזמנים',
        'שם ומשפחה',
        'שם המשפחה והפרטי',
        'שם משפחה ופרטי',
        'שמות',
        'שמות המוזמנים',
      ],
      arabic: ['الاسم', 'الاسم الكامل', 'اسم الضيف', 'الضيف', 'اسم المدعو', 'المدعو', 'اسم'],
      english: ['name', 'full name', 'guest', 'guest name', 'names', 'guest names', 'display name'],
    },
    cell: textCell,
  },
  phone: {
    type: fieldTypes.orNull(phoneNumber),
    shown: 'E.164. Unique in an event.',
    empty: null,
    column: 'text',
    personal: true,
    contact: true,
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
        'טלפונים',
        'נייד שלו',
        'נייד שלה',
        'טלפון שלו',
        'טלפון שלה',
        'נייד של הבעל',
        'נייד של האישה',
        'מס נייד',
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
        'his phone',
        'her phone',
        'business phone',
        'phone value',
      ],
    },
    cell: phoneCell,
  },
  other_phones: {
    type: fieldTypes.orEmpty(fieldTypes.several(phoneNumber, MOST_OTHERS), []),
    empty: [] as string[],
    column: 'text[]',
    shown: 'Nothing is sent to them, but they identify the guest too.',
    personal: true,
    contact: true,
    label: { he: 'טלפונים נוספים', ar: 'هواتف أخرى', en: 'Other phones' },
    headings: {
      hebrew: [
        'טלפונים נוספים',
        'טלפון נוסף',
        'נייד נוסף',
        'טלפון שני',
        'נייד שני',
        'מספר נוסף',
        'מספר טלפון נוסף',
      ],
      arabic: ['هواتف أخرى', 'هاتف آخر', 'هاتف إضافي', 'رقم آخر', 'رقم إضافي', 'جوال آخر'],
      english: [
        'other phones',
        'other phone',
        'additional phone',
        'additional phones',
        'second phone',
        'alternate phone',
        'alternative phone',
      ],
    },
    cell: otherPhonesCell,
  },
  email: {
    type: fieldTypes.orNull(fieldTypes.mailAddress()),
    empty: null,
    column: 'text',
    shown: 'In lower case. Unique in an event.',
    personal: true,
    contact: true,
    example: 'cohen@example.com',
    label: { he: 'מייל', ar: 'البريد الإلكتروني', en: 'Email' },
    headings: {
      hebrew: ['דוא"ל', 'דואל', 'מייל', 'אימייל', 'כתובת מייל', 'כתובת דואל', 'דואר אלקטרוני'],
      arabic: ['البريد الإلكتروني', 'بريد إلكتروني', 'البريد', 'الإيميل', 'إيميل'],
      english: ['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'e-mail value'],
    },
    cell: emailCell,
  },
  other_emails: {
    type: fieldTypes.orEmpty(fieldTypes.several(fieldTypes.mailAddress(), MOST_OTHERS), []),
    empty: [] as string[],
    column: 'text[]',
    personal: true,
    contact: true,
    label: { he: 'כתובות מייל נוספות', ar: 'عناوين بريد أخرى', en: 'Other email addresses' },
    headings: {
      hebrew: ['כתובות מייל נוספות', 'מייל נוסף', 'אימייל נוסף', 'דואל נוסף', 'כתובת מייל נוספת'],
      arabic: ['عناوين بريد أخرى', 'بريد آخر', 'بريد إلكتروني آخر', 'إيميل آخر'],
      english: ['other email addresses', 'other emails', 'other email', 'additional email', 'second email'],
    },
    cell: otherEmailsCell,
  },
  tags: {
    type: fieldTypes.orEmpty(fieldTypes.texts({ most: MOST_TAGS, longest: LENGTHS.tag }), []),
    empty: [] as string[],
    column: 'text[]',
    shown: 'Any texts, such as side, group or table.',
    personal: true,
    example: ['צד הכלה', 'עבודה'],
    label: { he: 'תגיות', ar: 'الوسوم', en: 'Tags' },
    headings: {
      hebrew: [
        'תגיות',
        'תגית',
        'צד',
        'קבוצה',
        'קרבה',
        'קירבה',
        'קטגוריה',
        'קשר',
        'סוג קרבה',
        'קבוצות',
        'שיוך',
        'מי הזמין',
        'של מי',
      ],
      arabic: ['الوسوم', 'وسوم', 'الطرف', 'المجموعة', 'مجموعة', 'القرابة', 'صلة القرابة', 'الفئة', 'طرف'],
      english: ['tags', 'tag', 'side', 'group', 'category', 'categories', 'relation', 'relationship'],
    },
    cell: tagsCell,
  },
  party_size: {
    type: fieldTypes.orEmpty(fieldTypes.wholeNumber(1, LARGEST_PARTY), 1),
    empty: 1,
    column: 'integer',
    shown: 'People invited, including the guest.',
    example: 2,
    label: { he: 'מספר המוזמנים', ar: 'عدد المدعوين', en: 'Party size' },
    headings: {
      hebrew: [
        'מספר מוזמנים',
        'מוזמנים',
        'אורחים',
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
        'מספר אורחים',
        'מס אורחים',
        'כמות אורחים',
        'כמה אורחים',
        'כמה יגיעו',
        'אומדן',
        'סהכ מוזמנים',
        'סהכ',
      ],
      arabic: [
        'عدد المدعوين',
        'عدد الضيوف',
        'العدد',
        'عدد',
        'عدد الأشخاص',
        'عدد الأفراد',
        'المدعوون',
        'الضيوف',
        'الكمية',
      ],
      english: [
        'party size',
        'invited',
        'guests',
        'count',
        'size',
        'number of guests',
        'of guests',
        'no of guests',
        'guest count',
        'number invited',
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
    shown: 'Children among `party_size`.',
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
      'People beyond `party_size` whom this guest may bring while the event’s `max_plus_ones_buffer` has room; null: as many as each guest (`plus_ones_each` of the settings for answers).',
    label: { he: 'מלווים נוספים', ar: 'مرافقون إضافيون', en: 'Maximum plus-ones' },
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
  members: {
    type: fieldTypes.orEmpty(memberList, []),
    empty: [] as readonly Member[],
    column: 'jsonb',
    shown:
      'People of the party who are known, the guest included. `name` is null for a companion without a name; `coming` counts only with a yes.',
    byGuest: true,
    personal: true,
    example: [
      { id: 'x4hn8p', name: 'נועם כהן', child: true, meal: 'vegan', allergies: 'אגוזים', coming: true },
    ],
    label: { he: 'שמות האנשים', ar: 'أسماء الأشخاص', en: 'People by name' },
  },
  answers: {
    type: answersField,
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
    shown: 'Message from the guest to the hosts.',
    byGuest: true,
    personal: true,
    contact: true,
    example: 'מזל טוב!',
    label: { he: 'ברכה למארחים', ar: 'كلمة لأصحاب الدعوة', en: 'Message to the hosts' },
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
    shown: 'Private note of the organizer; the guest never sees it.',
    personal: true,
    contact: true,
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
    shown: 'null: the event’s language.',
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
    shown: 'Role in the company.',
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

/** Fields of a guest's answer, as an organizer sends them. */
export const rsvpFields = {
  rsvp_status: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        fieldTypes.oneOf(ANSWERS),
        '`maybe`: the guest doesn’t know yet and takes no place; it is stored as `pending`.',
      ),
    ),
    empty: null,
  },
  maybe: {
    type: fieldTypes.orEmpty(
      fieldTypes.withDescription(fieldTypes.yesOrNo(), 'With `pending`: the same as `rsvp_status: maybe`.'),
      false,
    ),
    empty: false,
    label: { he: 'מתלבטים', ar: 'مترددون', en: 'Maybe' },
  },
  coming: { type: coming, empty: null },
  coming_children: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        fieldTypes.wholeNumber(0, LARGEST_PARTY),
        'Children among `coming`. By default those of the party who remain when all its adults come.',
      ),
    ),
    empty: null,
    label: { he: 'ילדים מגיעים', ar: 'الأطفال القادمون', en: 'Children coming' },
  },
} as const;

/** Field with which an organizer knowingly exceeds the event's limits. */
export const overLimitFields = {
  over_limit: {
    type: fieldTypes.orEmpty(
      fieldTypes.withDescription(
        fieldTypes.yesOrNo(),
        'With a yes: the guest gets all places even if not enough are free. The history notes it.',
      ),
      false,
    ),
    empty: false,
    label: { he: 'חריגה ממספר המקומות', ar: 'تجاوز عدد الأماكن', en: 'Over the limit' },
  },
} as const;

/** All fields of a guest that an organizer can send. */
export const guestBodyFields = { ...guestFields, ...rsvpFields, ...overLimitFields };

/** Values of a guest's fields apart from the answer. */
export type GuestDetails = fieldTypes.ValuesOf<typeof guestFields>;
export type DetailField = keyof GuestDetails;

const details = Object.entries(guestFields) as [DetailField, GuestField][];
const namesOf = (fields: [DetailField, GuestField][]): DetailField[] => fields.map(([name]) => name);

export const detailFields: readonly DetailField[] = namesOf(details);

/** Default values of a guest's fields, without the name, which has no default. */
export const NO_DETAILS = fieldTypes.emptyOf(guestFields);

type OwnField = {
  [K in DetailField]: (typeof guestFields)[K] extends { byGuest: true } ? K : never;
}[DetailField];

/** Fields that guests set themselves, by their personal link. */
export const ownFields = Object.fromEntries(details.filter(([, { byGuest }]) => byGuest)) as Pick<
  typeof guestFields,
  OwnField
>;

/** Fields that are erased with a guest's personal data. The name is replaced instead. */
export const personalFields = namesOf(details.filter(([, { personal }]) => personal)) as Exclude<
  DetailField,
  'name'
>[];

type ContactField = {
  [K in DetailField]: (typeof guestFields)[K] extends { contact: true } ? K : never;
}[DetailField];

/** Values of the fields that callers see who see no contact details of guests. */
export const NO_CONTACTS = fieldTypes.emptyOf(
  Object.fromEntries(details.filter(([, { contact }]) => contact)) as Pick<typeof guestFields, ContactField>,
);

/** Columns of a guest's answer in spreadsheets. `coming` is only read if the answer is yes. */
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
      english: ['rsvp', 'rsvp status', 'wedding rsvp', 'status', 'answer', 'attending', 'response', 'reply'],
    },
    cell: statusCell,
  },
  coming: {
    label: { he: 'מספר המגיעים', ar: 'عدد الحاضرين', en: 'Number coming' },
    headings: {
      hebrew: [
        'מספר מגיעים',
        'מגיעים',
        'כמה מגיעים',
        'כמות מגיעים',
        'מס מגיעים',
        'מספר המגיעים',
        'כמה אישרו',
        'כמות שאישרו',
        'כמות אישרו',
      ],
      arabic: ['عدد الحاضرين', 'عدد القادمين', 'القادمون', 'الحاضرون'],
      english: ['coming', 'attending count', 'number coming', 'number attending'],
    },
    cell: numberCell,
  },
  coming_children: {
    label: rsvpFields.coming_children.label,
    headings: {
      hebrew: ['ילדים מגיעים', 'כמה ילדים מגיעים'],
      arabic: ['الأطفال القادمون'],
      english: ['children coming', 'kids coming'],
    },
    cell: limitCell,
  },
} as const satisfies Readonly<Record<string, SheetField>>;

/**
 * Column with the id of the guest. An import looks for a guest with this id before it compares phone, email or name.
 */
const id = {
  label: { he: 'מזהה', ar: 'المعرّف', en: 'Id' },
  headings: { hebrew: ['מזהה'], arabic: ['المعرّف'], english: ['id'] },
  cell: textCell,
} as const satisfies SheetField;

const {
  name,
  phone: phoneField,
  other_phones,
  email,
  other_emails,
  tags,
  party_size,
  party_children,
  answers: _,
  members: __,
  ...others
} = guestFields;

/** Columns of an exported guest list, in order. Columns for the event's questions are added to them. */
export const sheetFields = {
  name,
  phone: phoneField,
  email,
  tags,
  party_size,
  party_children,
  ...answerFields,
  ...others,
  other_phones,
  other_emails,
  id,
};
