import type { Language } from '../../kernel/languages.ts';

/** Texts of the example event, in the language of the organizer. */
export interface ExampleWords {
  title: string;
  description: string;
  venue: string;
  address: string;
  hosts: string;
  /** Tags that mark the guests of the example wedding's two families. */
  sides: readonly [string, string];
  friends: string;
  /** Name of the example guest who is the organizer, so that organizers can send mail to themselves. */
  self: string;
  guests: readonly string[];
  message: string;
  allergies: string;
  note: string;
  question: string;
  options: readonly [string, string];
  agenda: readonly [string, string, string];
  vendors: { catering: string; dj: string; photographer: string; flowers: string };
}

const he: ExampleWords = {
  title: 'אירוע לדוגמה: החתונה של מאיה ודניאל',
  description: 'אירוע לשחק איתו: אפשר לשנות בו הכול, ולמחוק אותו בלחיצה אחת.',
  venue: 'גן האירועים עדן',
  address: 'דרך השרון 12, הוד השרון',
  hosts: 'מאיה ודניאל',
  sides: ['צד הכלה', 'צד החתן'],
  friends: 'חברים',
  self: 'אני, כדי לראות איך זה נראה',
  guests: [
    'סבתא רבקה',
    'משפחת כהן',
    'משפחת לוי',
    'דנה ויואב מזרחי',
    'משפחת פרץ',
    'ענת ביטון',
    'משפחת אברהם',
    'רונית וגיל שפירא',
    'משפחת דהן',
    'עומר אדרי',
    'משפחת פרידמן',
    'תמר ונדב רוזן',
    'משפחת חדד',
    'יעל קפלן',
    'משפחת גבאי',
    'מיכל ואסף ברק',
    'משפחת אוחיון',
    'שירה נחום',
    'משפחת סגל',
    'לירון ועידו טל',
    'דוד משה ודודה אסתר',
    'משפחת עמר',
    'הדס גולן',
    'משפחת ממן',
    'איתן שלום',
    'משפחת צור',
    'רותם ומאיה אלון',
    'נועם הראל',
  ],
  message: 'מזל טוב! מחכים לחגוג איתכם.',
  allergies: 'אגוזים',
  note: 'להושיב קרוב לרחבה',
  question: 'הסעה מחיפה?',
  options: ['כן, תודה', 'אין צורך'],
  agenda: ['קבלת פנים', 'חופה', 'ריקודים'],
  vendors: { catering: 'קייטרינג גפן', dj: 'DJ אבי', photographer: 'סטודיו אור', flowers: 'פרחי השרון' },
};

const ar: ExampleWords = {
  title: 'مناسبة للتجربة: زفاف ليلى وسامي',
  description: 'مناسبة للتجربة: يمكن تغيير كل ما فيها، وحذفها بضغطة واحدة.',
  venue: 'حدائق عدن للأفراح',
  address: 'شارع الجليل 12، الناصرة',
  hosts: 'ليلى وسامي',
  sides: ['أهل العروس', 'أهل العريس'],
  friends: 'أصدقاء',
  self: 'أنا، لأرى كيف تبدو الدعوة',
  guests: [
    'الجدّة مريم',
    'عائلة خوري',
    'عائلة حدّاد',
    'ريم ووليد منصور',
    'عائلة نصّار',
    'هبة عودة',
    'عائلة زعبي',
    'سمر وباسل شحادة',
    'عائلة جبارين',
    'عمر مصاروة',
    'عائلة عيسى',
    'دانا وفادي سليمان',
    'عائلة غنايم',
    'رنا قاسم',
    'عائلة بشارة',
    'منى وإياد حمدان',
    'عائلة سروجي',
    'شيرين طه',
    'عائلة محاميد',
    'لمى ورامي داود',
    'العمّ يوسف والعمّة سعاد',
    'عائلة يونس',
    'هالة مرعي',
    'عائلة حبيب',
    'كريم ناصر',
    'عائلة طنّوس',
    'مايا ونور إلياس',
    'نديم فرح',
  ],
  message: 'ألف مبروك! بانتظار الاحتفال معكم.',
  allergies: 'مكسّرات',
  note: 'الجلوس قرب ساحة الرقص',
  question: 'هل تحتاجون إلى حافلة من حيفا؟',
  options: ['نعم، شكرًا', 'لا حاجة'],
  agenda: ['استقبال', 'مراسم الزفاف', 'رقص'],
  vendors: {
    catering: 'مطابخ الكرمة',
    dj: 'دي جي نادر',
    photographer: 'استوديو نور',
    flowers: 'أزهار الجليل',
  },
};

const en: ExampleWords = {
  title: 'An example: the wedding of Maya and Daniel',
  description: 'An event to try things out: change anything in it, and remove it with one click.',
  venue: 'Eden Gardens',
  address: '12 HaSharon Road, Hod HaSharon',
  hosts: 'Maya and Daniel',
  sides: ['The bride’s', 'The groom’s'],
  friends: 'Friends',
  self: 'Myself, to see what it looks like',
  guests: [
    'Grandma Ruth',
    'The Cohen family',
    'The Levy family',
    'Dana and Yoav Mizrahi',
    'The Brown family',
    'Anna Weiss',
    'The Abrams family',
    'Ronit and Gil Shapiro',
    'The Taylor family',
    'Omer Adler',
    'The Friedman family',
    'Tamar and Nadav Rosen',
    'The Haddad family',
    'Yael Kaplan',
    'The Gold family',
    'Michelle and Adam Barak',
    'The Green family',
    'Shira Newman',
    'The Segal family',
    'Lee and Ido Tal',
    'Uncle Moshe and Aunt Esther',
    'The Amar family',
    'Hannah Golan',
    'The Stein family',
    'Ethan Shalom',
    'The Wright family',
    'Rose and Maya Alon',
    'Noam Harel',
  ],
  message: 'Mazal tov! We can’t wait to celebrate with you.',
  allergies: 'Nuts',
  note: 'Seat near the dance floor',
  question: 'A bus from Haifa?',
  options: ['Yes, please', 'No need'],
  agenda: ['Reception', 'Chuppah', 'Dancing'],
  vendors: {
    catering: 'Gefen Catering',
    dj: 'DJ Avi',
    photographer: 'Studio Or',
    flowers: 'Sharon Flowers',
  },
};

export const exampleWords: Readonly<Record<Language, ExampleWords>> = { he, ar, en };
