import { newId } from '../../server/kernel/identifiers.ts';
import { EVENT_DEFAULTS, type NewEvent } from '../../server/planning/events/fields.ts';
import type { EventStatus } from '../../server/planning/events/lifecycle.ts';

type DemoEvent = NewEvent & { status: EventStatus };

const WEDDING = { venue_name: 'גן האירועים עדן', venue_address: 'דרך השרון 12, הוד השרון' };

/**
 * Twelve realistic events: three languages, every status, from a family circle to a conference. Dates are relative to
 * `now`.
 */
export function demoEvents(now: Temporal.Instant): DemoEvent[] {
  const today = now.toZonedDateTimeISO('Asia/Jerusalem').toPlainDate();
  const event = (
    status: EventStatus,
    inDays: number,
    time: string,
    fields: Partial<NewEvent> & Pick<NewEvent, 'title' | 'venue_name'>,
  ): DemoEvent => ({
    ...EVENT_DEFAULTS,
    event_date: weekdayFrom(today.add({ days: inDays }))
      .toZonedDateTime({ timeZone: 'Asia/Jerusalem', plainTime: time })
      .toInstant()
      .toString(),
    ...fields,
    status,
  });
  return [
    event('published', 62, '19:30', {
      title: 'החתונה של נועה ואיתי',
      ...WEDDING,
      description: 'חופה בשקיעה, ריקודים עד הלילה. חניה במקום.',
      max_guests: 420,
      venue_capacity: 450,
      kashrut_level: 'mehadrin',
      budget: 185_000,
    }),
    event('draft', 118, '20:00', {
      title: 'החתונה של הדס ויונתן',
      venue_name: 'אולמי הכרמל',
      venue_address: 'שדרות מוריה 80, חיפה',
      max_guests: 380,
      venue_capacity: 500,
      kashrut_level: 'regular',
      budget: 160_000,
    }),
    event('published', 33, '18:00', {
      title: 'בר המצווה של אורי',
      venue_name: 'מתחם הנמל',
      venue_address: 'נמל תל אביב, האנגר 7',
      description: 'עלייה לתורה בבוקר, ערב של מוזיקה ומשחקים.',
      max_guests: 180,
      venue_capacity: 220,
      kashrut_level: 'regular',
      budget: 72_500,
    }),
    event('published', 90, '19:00', {
      title: 'زفاف ليلى وكريم',
      venue_name: 'قاعة الأفراح الكبرى',
      venue_address: 'شارع بولس السادس، الناصرة',
      description: 'أهلاً وسهلاً بجميع الأحباب.',
      max_guests: 600,
      venue_capacity: 700,
      noise_curfew_time: '23:30',
      language_pref: 'arabic',
      budget: 210_000,
    }),
    event('draft', 150, '17:30', {
      title: 'حفل تخرّج دفعة ٢٠٢٧',
      venue_name: 'مسرح المدينة',
      venue_address: 'يافا',
      max_guests: 95,
      language_pref: 'arabic',
      budget: 18_000,
    }),
    event('published', 47, '09:00', {
      title: 'TLV Web Conference',
      venue_name: 'Expo Tel Aviv, Pavilion 10',
      venue_address: 'Rokach Blvd 101, Tel Aviv',
      description: 'Two tracks, one day, good coffee.',
      max_guests: 800,
      venue_capacity: 900,
      max_plus_ones_buffer: 0,
      kashrut_level: 'regular',
      noise_curfew_time: '22:00',
      language_pref: 'english',
      budget: 320_000,
      retention_policy_days: 90,
    }),
    // This wedding is on the same evening as another event, so that their caterer is booked twice.
    event('draft', 118, '19:00', {
      title: 'Maya & Daniel’s Wedding',
      venue_name: 'The Olive Farm',
      venue_address: 'Moshav Beit Zayit',
      max_guests: 150,
      venue_capacity: 160,
      language_pref: 'english',
      budget: 98_000.5,
      compliance_dismissed: true,
    }),
    event('completed', 5, '12:00', {
      title: 'הברית של התינוק לבית לוי',
      venue_name: 'בית הכנסת הגדול',
      venue_address: 'אלנבי 110, תל אביב',
      max_guests: 70,
      kashrut_level: 'mehadrin',
      budget: 9_800,
    }),
    event('completed', 5, '19:30', {
      title: 'חינה למיכל',
      venue_name: 'בית המשפחה',
      venue_address: 'יבנה',
      max_guests: 85,
      kashrut_level: 'regular',
    }),
    event('cancelled', 75, '20:00', {
      title: 'מסיבת סוף שנה',
      venue_name: 'גג העירייה',
      max_guests: 250,
      venue_capacity: 250,
      noise_curfew_time: '22:00',
      budget: 40_000,
    }),
    event('draft', 260, '11:00', {
      title: 'יום הולדת 70 לסבתא רחל',
      venue_name: 'מסעדת הגן',
      venue_address: 'זכרון יעקב',
      max_guests: 45,
      kashrut_level: 'chalav_yisrael',
      budget: 12_000,
    }),
    event('draft', 310, '19:00', {
      title: 'ערב התרמה לעמותה',
      venue_name: 'היכל התרבות',
      max_guests: 320,
      budget: 55_000,
    }),
  ];
}

/** Moves a day that is a Friday or Saturday to the next Sunday. */
export function weekdayFrom(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.add({ days: { 5: 2, 6: 1 }[day.dayOfWeek] ?? 0 });
}

/**
 * First names and family names in Hebrew, Arabic and English. Each first name fits each family name of the same
 * language.
 */
const NAMES = [
  {
    first: [
      'נועה',
      'איתי',
      'יעל',
      'דניאל',
      'תמר',
      'אורי',
      'מיכל',
      'יוסף',
      'שירה',
      'משה',
      'רחל',
      'אברהם',
      'ענת',
    ],
    last: ['כהן', 'לוי', 'מזרחי', 'פרץ', 'ביטון', 'אברהמי', 'פרידמן', 'חדד'],
  },
  {
    first: ['ليلى', 'كريم', 'مريم', 'أحمد', 'سارة', 'يوسف', 'رنا'],
    last: ['خوري', 'حداد', 'منصور', 'عودة'],
  },
  {
    first: ['Maya', 'Daniel', 'Olga', 'Michael', 'Anna', 'David', 'Ruth'],
    last: ['Green', 'Shapiro', 'Ivanov', 'Rosen'],
  },
] as const;

/**
 * Name of guest number `n`. Of five guests, three have Hebrew names, one an Arabic and one an English name; a name
 * repeats only after many others.
 */
function nameOf(n: number): string {
  const { first, last } = NAMES[[0, 0, 0, 1, 2][n % 5] ?? 0] ?? NAMES[0];
  return `${first[n % first.length]} ${last[Math.floor(n / 5) % last.length]}`;
}

/** Allergies in the same order of languages as the names of guests: three in Hebrew, one in Arabic, one in English. */
const ALLERGIES = ['אגוזים', 'גלוטן', 'שומשום', 'مكسرات', 'Nuts and sesame'];
const COMPANIES = ['Or Tech', 'Carmel Data', 'مختبرات الجليل', 'Studio Yarkon', 'Negev Robotics'];
const ROLES = ['Engineer', 'Designer', 'Product manager', 'CTO', 'Student', 'Team lead'];

const TAGS = ['משפחה', 'חברים', 'עבודה', 'שכנים'];

export interface DemoGuest {
  id: string;
  event_id: string;
  name: string;
  phone: string | null;
  email: string | null;
  tags: string[];
  party_size: number;
  party_children: number;
  max_plus_ones: number | null;
  coming: number;
  coming_children: number;
  vegetarian: number;
  vegan: number;
  mehadrin: number;
  childrens_meals: number;
  allergies: string | null;
  company: string | null;
  role: string | null;
  maybe: boolean;
  answers: Record<string, string | number>;
  rsvp_status: string;
  answered_at: string | null;
  answered_via: string | null;
  created_at: string;
  updated_at: string;
}

/**
 * Makes `total` guests, distributed by the size of each event. Each run makes the same guests with other ids. Guests of
 * a draft have not been invited yet; `alone`: guests bring nobody.
 */
export function demoGuests(
  events: { id: string; guests: number; isDraft: boolean; alone: boolean }[],
  questions: readonly DemoQuestion[],
  total: number,
  now: Temporal.Instant,
): DemoGuest[] {
  const seats = events.reduce((sum, event) => sum + event.guests, 0);
  const shares = events.map((event) => Math.floor((event.guests * total) / seats));
  shares[0] = (shares[0] ?? 0) + total - shares.reduce((sum, share) => sum + share, 0);
  let n = 0;
  return events.flatMap(({ id, isDraft, alone }, index) => {
    const asked = questions.filter(({ event_id }) => event_id === id);
    return Array.from({ length: shares[index] ?? 0 }, () => {
      n += 1;
      const answer = (n * 7919) % 20;
      const rsvp_status = isDraft
        ? 'pending'
        : answer < 11
          ? 'confirmed'
          : answer < 18
            ? 'pending'
            : 'declined';
      const party_size = alone ? 1 : n % 10 === 0 ? 4 : 1 + (n % 2);
      const children = Math.max(0, party_size - 2);
      const comes = rsvp_status === 'confirmed';
      // Every n-th guest who comes has a special diet, for one adult of their party. Children have meals of their own.
      const eats = (every: number) => comes && n % every === 0;
      const diet = eats(7) ? 'vegetarian' : eats(11) ? 'vegan' : eats(13) ? 'mehadrin' : undefined;
      const maybe = !isDraft && rsvp_status === 'pending' && n % 6 === 0;
      const hasAnswered = maybe || rsvp_status !== 'pending';
      const said = asked.map((question) => [question.id, answerTo(question, n)]);
      return {
        id: newId(),
        event_id: id,
        name: nameOf(n),
        phone: n % 5 === 0 ? null : `+97250${String(1_000_000 + n * 37).slice(-7)}`,
        email: n % 3 === 0 ? `guest${n}@example.com` : null,
        tags: [TAGS[n % TAGS.length] ?? ''],
        party_size,
        party_children: children,
        max_plus_ones: alone ? 0 : n % 19 === 0 ? n % 3 : null,
        coming: comes ? party_size : 0,
        coming_children: comes ? children : 0,
        vegetarian: diet === 'vegetarian' ? 1 : 0,
        vegan: diet === 'vegan' ? 1 : 0,
        // The first event's kitchen is mehadrin, so its guests need no separate mehadrin meals.
        mehadrin: diet === 'mehadrin' && index !== 0 ? 1 : 0,
        childrens_meals: comes ? children : 0,
        allergies: comes && n % 37 === 0 ? (ALLERGIES[n % 5] ?? null) : null,
        company: alone ? (COMPANIES[n % COMPANIES.length] ?? null) : null,
        role: alone ? (ROLES[n % ROLES.length] ?? null) : null,
        maybe,
        answers: comes ? Object.fromEntries(said) : {},
        rsvp_status,
        answered_at: hasAnswered ? now.subtract({ minutes: n * 7 }).toString() : null,
        answered_via: hasAnswered ? (alone && comes ? 'open_link' : 'link') : null,
        created_at: now.toString(),
        updated_at: now.toString(),
      };
    });
  });
}

export interface DemoQuestion {
  id: string;
  event_id: string;
  position: number;
  kind: 'choice' | 'number' | 'text';
  text: Record<string, string>;
  options: { id: string; text: Record<string, string> }[];
  most: number | null;
  created_at: string;
  updated_at: string;
}

/** Additional questions to guests of the first wedding. */
export function demoQuestions(event_id: string, now: Temporal.Instant): DemoQuestion[] {
  const words = (hebrew: string, arabic: string, english: string) => ({ hebrew, arabic, english });
  const asked = [
    {
      kind: 'choice',
      text: words('הסעה מחיפה?', 'حافلة من حيفا؟', 'A bus from Haifa?'),
      options: [
        { id: newId(), text: words('כן, בבקשה', 'نعم، من فضلكم', 'Yes, please') },
        { id: newId(), text: words('לא צריך', 'لا حاجة', 'No, thanks') },
      ],
      most: null,
    },
    {
      kind: 'number',
      text: words(
        'כמה מיטות להזמין לכם באכסניה?',
        'كم سريرًا نحجز لكم في بيت الضيافة؟',
        'How many beds do you need at the guest house?',
      ),
      options: [],
      most: 4,
    },
    {
      kind: 'text',
      text: words('איזה שיר יקפיץ אתכם לרחבה?', 'أي أغنية تأخذكم إلى الرقص؟', 'Which song gets you dancing?'),
      options: [],
      most: null,
    },
  ] as const;
  return asked.map((question, index) => ({
    ...question,
    id: newId(),
    event_id,
    position: index + 1,
    options: [...question.options],
    created_at: now.toString(),
    updated_at: now.toString(),
  }));
}

const SONGS = ['Dancing Queen', 'נערה במשקפיים', 'يا ليلة', 'שיר השיירה'];

function answerTo({ kind, options }: DemoQuestion, n: number): string | number {
  switch (kind) {
    case 'choice':
      return options[n % options.length]?.id ?? '';
    case 'number':
      return n % 3;
    case 'text':
      return SONGS[n % SONGS.length] ?? '';
  }
}

export function demoInvitations(wedding: string, conference: string, now: Temporal.Instant) {
  const updated_at = now.toString();
  return [
    {
      event_id: wedding,
      hosts: {
        hebrew: 'משפחות לוי וכהן',
        arabic: 'عائلتا ليفي وكوهين',
        english: 'The Levy and Cohen families',
      },
      title: {
        hebrew: 'החתונה של נועה ואיתי',
        arabic: 'زفاف نوعا وإيتاي',
        english: 'The wedding of Noa and Itay',
      },
      contact_name: { hebrew: 'נועה', arabic: 'نوعا', english: 'Noa' },
      contact_phone: '+972501234567',
      contact_email: 'noa@example.com',
      coordinates: '32.1503, 34.8880',
      coordinates_of: WEDDING.venue_name,
      venue_name: { arabic: 'حديقة عدن للمناسبات', english: 'Eden Gardens' },
      venue_name_of: WEDDING.venue_name,
      venue_address: {
        arabic: 'طريق الشارون 12، هود هشارون',
        english: '12 HaSharon Road, Hod HaSharon',
      },
      venue_address_of: WEDDING.venue_address,
      lasts_minutes: 390,
      updated_at,
    },
    {
      event_id: conference,
      hosts: { english: 'TLV Web' },
      title: null,
      contact_name: null,
      contact_phone: null,
      contact_email: 'hello@example.com',
      coordinates: null,
      lasts_minutes: 540,
      updated_at,
    },
  ];
}

/** Settings of the conference that let people register for it themselves. */
export function demoSettings(conference: string, slug: string, now: Temporal.Instant) {
  const registers = { registration: true, accept_by_itself: true, most_each: 1 };
  return [{ event_id: conference, open: true, slug, ...registers, updated_at: now.toString() }];
}

/** Co-organizers of the demo's wedding: its planner, who may edit, and a mother who may only view. */
export function demoCoOrganizers(event_id: string, now: Temporal.Instant) {
  const at = now.toString();
  return [
    { email: 'planner@example.com', access: 'edit' },
    { email: 'mother@example.com', access: 'view' },
  ].map((who) => ({ id: newId(), event_id, ...who, created_at: at, updated_at: at }));
}

const TALKS = [
  [0, 30, 'Registration and coffee', null, 'Foyer'],
  [30, 45, 'The web that lasts', 'Dana Levi', 'Hall A'],
  [75, 45, 'Right to left, from the first line', 'أحمد منصور', 'Hall A'],
  [135, 60, 'Lunch', null, 'Garden'],
  [210, 45, 'PostgreSQL in a browser tab', 'Olga Ivanov', 'Hall B'],
] as const;

export function demoAgenda(conference: string, now: Temporal.Instant) {
  return TALKS.map(([starts_after, lasts_minutes, title, speaker, place]) => ({
    id: newId(),
    event_id: conference,
    starts_after,
    lasts_minutes,
    title,
    speaker,
    place,
    created_at: now.toString(),
    updated_at: now.toString(),
  }));
}

const DJ = 'תקליטן רועי';

const VENDORS = [
  ['קייטרינג השף', 'catering', 38_000],
  [DJ, 'dj', 6_500],
  ['צילום אור', 'photographer', 9_200],
  ['פרחי השרון', 'flowers', 4_800],
  ['הרב אליהו', 'rabbi', 1_500],
  ['להקת הכליזמר', 'band', 12_000],
  ['הגברה ותאורה פלוס', 'other', 7_400],
] as const;

export function demoVendors(organizerId: string, now: Temporal.Instant) {
  const nextYear = now.toZonedDateTimeISO('Asia/Jerusalem').toPlainDate().add({ days: 400 }).toString();
  return VENDORS.map(([name, kind]) => ({
    id: newId(),
    organizer_id: organizerId,
    name,
    kind,
    // The caterer's kashrut level is lower than a wedding requires, which shows a warning.
    ...(kind === 'catering'
      ? { kashrut_level: 'regular', kashrut_issuer: 'הרבנות הוד השרון' }
      : { kashrut_level: 'none', kashrut_issuer: null }),
    kashrut_expiry_date: kind === 'catering' ? nextYear : null,
    created_at: now.toString(),
    updated_at: now.toString(),
  }));
}

/** Creates two to six bookings for each event. */
export function demoBookings(
  events: readonly { id: string; date: Temporal.Instant }[],
  vendors: { id: string; name: string }[],
  now: Temporal.Instant,
) {
  return events.flatMap(({ id: event_id, date }, index) =>
    vendors.slice(0, 2 + (index % 5)).map(({ id, name }, place) => ({
      id: newId(),
      event_id,
      // The DJ of the first event plays beyond the noise curfew.
      starts_at: index === 0 && name === DJ ? date.toString() : null,
      ends_at: index === 0 && name === DJ ? date.add({ hours: 6 }).toString() : null,
      vendor_id: id,
      vendor_name: name,
      status: (['confirmed', 'confirmed', 'pending', 'cancelled'] as const)[(index + place) % 4] ?? 'pending',
      // The caterer of an event is paid per plate.
      price: place === 0 ? null : (VENDORS[place]?.[2] ?? null),
      price_per_plate: place === 0 ? 260 : null,
      minimum_plates: place === 0 ? 40 : null,
      created_at: now.toString(),
      updated_at: now.toString(),
    })),
  );
}

/** Payments of each booking, past and future ones. */
export function demoPayments(
  bookings: readonly { id: string; vendor_name: string; price: number | null }[],
  now: Temporal.Instant,
) {
  const today = now.toZonedDateTimeISO('Asia/Jerusalem').toPlainDate();
  const late = bookings.find(({ vendor_name }) => vendor_name === DJ);
  return bookings.flatMap((booking) => {
    const half = Math.floor((booking.price ?? 8_000) / 2);
    const paid_date = today.subtract({ days: 20 }).toString();
    const due = booking === late ? weekdayFrom(today.subtract({ days: 6 })) : today.add({ days: 24 });
    const of = { booking_id: booking.id, amount: half };
    return [
      { id: newId(), ...of, position: 0, due_date: paid_date, paid_date },
      { id: newId(), ...of, position: 1, due_date: due.toString(), paid_date: null },
    ];
  });
}
