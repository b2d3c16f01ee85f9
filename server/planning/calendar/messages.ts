import type { Words } from '../../kernel/languages.ts';
import type { HebrewMonth } from './hebrew-dates.ts';
import type { Custom, Occasion } from './occasions.ts';
import type { Closure } from './working-days.ts';

/** Words for the times at which an occasion begins and ends, with the day of the week; `endsAt` is the hour alone. */
export interface OccasionTimes {
  begins: Words;
  ends: Words;
  endsAt: string;
  /** Name of the place whose sunset determines the times; used in brackets. */
  where: Words;
}

interface OccasionWords {
  name: Words;
  says: Words | ((times: OccasionTimes) => Words);
}

const NO_WEDDINGS_NO_WORK: Words = {
  he: 'לא נערכות אז חתונות, וספקים שומרי שבת אינם עובדים.',
  ar: 'لا تُعقد فيه حفلات زفاف يهودية، والمورّدون المحافظون على السبت لا يعملون.',
  en: 'Jewish weddings are not held then, and vendors who keep Shabbat do not work.',
};

const lasting =
  (says: Words) =>
  ({ begins, ends, where }: OccasionTimes): Words => ({
    he: `מ${begins.he} עד ${ends.he} (${where.he}). ${says.he}`,
    ar: `من ${begins.ar} حتى ${ends.ar} (${where.ar}). ${says.ar}`,
    en: `From ${begins.en} to ${ends.en} (${where.en}). ${says.en}`,
  });

const rest = lasting(NO_WEDDINGS_NO_WORK);

/** Text about a day of rest, for people who do not keep that day. */
const restOfOthers = lasting({
  he: 'אולמות וספקים רבים סגורים אז, וברוב המקומות אין תחבורה ציבורית.',
  ar: 'كثير من القاعات والمورّدين لا يعملون خلاله، ولا مواصلات عامة في معظم الأماكن.',
  en: 'Many venues and vendors are closed then, and in most places no public transport runs.',
});

const fast = ({ endsAt, where }: OccasionTimes): Words => ({
  he: `הצום נמשך עד ${endsAt} (${where.he}), וסעודה מתאימה רק אחריו; רבים אינם עורכים חתונות ביום צום.`,
  ar: `يستمر الصوم حتى ${endsAt} (${where.ar})، ولا تناسب الوليمة إلا بعده؛ كثيرون لا يقيمون زفافًا في يوم صوم.`,
  en: `The fast lasts until ${endsAt} (${where.en}), and a meal is suitable only after it; many hold no weddings on a fast day.`,
});

const INTERMEDIATE_DAYS: Words = {
  he: 'בחול המועד לא נערכות חתונות. שמחות אחרות נערכות, אך ספקים רבים בחופשה.',
  ar: 'لا تُعقد حفلات زفاف يهودية في أيام العيد الوسطى. تقام مناسبات أخرى، لكن كثيرًا من المورّدين في إجازة.',
  en: 'Jewish weddings are not held on the intermediate days. Other celebrations are, but many vendors are on holiday.',
};

const CLOSED_BY_LAW: Words = {
  he: 'מהערב שלפניו סגורים מקומות הבידור על פי חוק, ואין עורכים שמחות.',
  ar: 'تُغلق أماكن الترفيه بحكم القانون من مساء اليوم السابق، ولا تقام الأفراح.',
  en: 'From the evening before, places of entertainment are closed by law, and no celebrations are held.',
};

/** Adds a note to the text of occasions whose date depends on the sighting of the moon. */
const bySighting = ({ he, ar, en }: Words): Words => ({
  he: `${he} התאריך לפי לוח אום אל־קורא, וייתכן הבדל של יום.`,
  ar: `${ar} التاريخ حسب تقويم أم القرى، وقد يختلف بيوم.`,
  en: `${en} The date is by the Umm al-Qura calendar and may differ by a day.`,
});

const DAYS_OFF: Words = {
  he: 'ימי חג: עסקים וספקים רבים סגורים.',
  ar: 'أيام عيد: كثير من المصالح والمورّدين في عطلة.',
  en: 'A feast: many businesses and vendors are closed.',
};

const NO_LENTEN_WEDDINGS: Words = {
  he: 'לא נהוג לערוך חתונות בצום הגדול שלפני הפסחא.',
  ar: 'لا يُعقد الزواج عادةً في الصوم الكبير قبل عيد الفصح.',
  en: 'By custom, weddings are not held in Lent.',
};

const GOOD_FRIDAY: Words = {
  he: 'יום אבל וצום; הכנסייה אינה עורכת בו חתונות.',
  ar: 'يوم حزن وصوم؛ لا تعقد الكنيسة فيه زواجًا.',
  en: 'A day of mourning and fasting; the church holds no weddings on it.',
};

const JOYFUL_DAY_OFF: Words = {
  he: 'חג: מוזמנים רבים עם משפחותיהם, ועסקים רבים סגורים.',
  ar: 'عيد: كثير من المدعوين مع عائلاتهم، وكثير من المصالح مغلقة.',
  en: 'A feast: many guests are with their families, and many businesses are closed.',
};

/** Texts about dates in the Hebrew and Islamic calendars. */
export const messages = {
  /** Places whose sunset counts. Each has a name, and the name with a preposition ("in Jerusalem"). */
  places: {
    jerusalem: {
      name: { he: 'ירושלים', ar: 'القدس', en: 'Jerusalem' },
      where: { he: 'בירושלים', ar: 'في القدس', en: 'in Jerusalem' },
    },
    event: {
      name: { he: 'מקום האירוע', ar: 'مكان المناسبة', en: 'The venue' },
      where: { he: 'במקום האירוע', ar: 'في مكان المناسبة', en: 'at the venue' },
    },
  },

  /** Labels, for error messages, of the query parameters that name the days. */
  asked: {
    from: { he: 'היום הראשון', ar: 'اليوم الأول', en: 'The first day' },
    to: { he: 'היום האחרון', ar: 'اليوم الأخير', en: 'The last day' },
    language: { he: 'שפת האירוע', ar: 'لغة المناسبة', en: 'The event’s language' },
  },
  endsBeforeItBegins: {
    he: 'לא יכול לבוא לפני היום הראשון.',
    ar: 'لا يمكن أن يسبق اليوم الأول.',
    en: 'must not come before the first day.',
  },
  tooManyDays: (most: number): Words => ({
    he: `אפשר לשאול על ${most} ימים לכל היותר.`,
    ar: `يمكن السؤال عن ${most} يوم على الأكثر.`,
    en: `can be at most ${most} days away, the first included.`,
  }),
  beyondYears: (first: number, last: number): Words => ({
    he: `לוח השנה ידוע כאן לשנים ${first} עד ${last}.`,
    ar: `التقويم معروف هنا للسنوات ${first} حتى ${last}.`,
    en: `must be in the years ${first} to ${last}.`,
  }),

  months: {
    tishri: { he: 'תשרי', ar: 'تشري', en: 'Tishri' },
    heshvan: { he: 'חשוון', ar: 'حشفان', en: 'Heshvan' },
    kislev: { he: 'כסלו', ar: 'كسليف', en: 'Kislev' },
    tevet: { he: 'טבת', ar: 'طيفت', en: 'Tevet' },
    shevat: { he: 'שבט', ar: 'شفاط', en: 'Shevat' },
    adar: { he: 'אדר', ar: 'آذار', en: 'Adar' },
    adar_i: { he: 'אדר א׳', ar: 'آذار الأول', en: 'Adar I' },
    adar_ii: { he: 'אדר ב׳', ar: 'آذار الثاني', en: 'Adar II' },
    nisan: { he: 'ניסן', ar: 'نيسان', en: 'Nisan' },
    iyar: { he: 'אייר', ar: 'أيار', en: 'Iyar' },
    sivan: { he: 'סיוון', ar: 'سيفان', en: 'Sivan' },
    tammuz: { he: 'תמוז', ar: 'تموز', en: 'Tammuz' },
    av: { he: 'אב', ar: 'آب', en: 'Av' },
    elul: { he: 'אלול', ar: 'أيلول', en: 'Elul' },
  } satisfies Record<HebrewMonth, Words>,

  /** Name of the night before a Hebrew date's daylight; the night belongs to that Hebrew date. */
  eveOf: ({ he, ar, en }: Words): Words => ({
    he: `אור ל${he}`,
    ar: `ليلة ${ar}`,
    en: `eve of ${en}`,
  }),

  customs: {
    jewish: { he: 'יהודים', ar: 'اليهود', en: 'Jewish' },
    ashkenazi: { he: 'מנהג אשכנז', ar: 'اليهود الأشكناز', en: 'Ashkenazi' },
    sephardi: {
      he: 'מנהג הספרדים ועדות המזרח',
      ar: 'اليهود السفارديم والشرقيون',
      en: 'Sephardi and Mizrahi',
    },
    some_communities: { he: 'חלק מהקהילות', ar: 'بعض الطوائف اليهودية', en: 'Some Jewish communities' },
    israel: { he: 'מדינת ישראל', ar: 'دولة إسرائيل', en: 'The State of Israel' },
    muslim: { he: 'מוסלמים', ar: 'المسلمون', en: 'Muslim' },
    muslim_and_druze: { he: 'מוסלמים ודרוזים', ar: 'المسلمون والدروز', en: 'Muslim and Druze' },
    druze: { he: 'דרוזים', ar: 'الدروز', en: 'Druze' },
    western_christian: {
      he: 'נוצרים, לפי הלוח המערבי',
      ar: 'المسيحيون، حسب التقويم الغربي',
      en: 'Christian, by the Western calendar',
    },
    eastern_christian: {
      he: 'נוצרים, לפי הלוח המזרחי',
      ar: 'المسيحيون، حسب التقويم الشرقي',
      en: 'Christian, by the Eastern calendar',
    },
  } satisfies Record<Custom, Words>,

  occasions: {
    shabbat: { name: { he: 'שבת', ar: 'السبت', en: 'Shabbat' }, says: rest },
    rosh_hashana: {
      name: { he: 'ראש השנה', ar: 'رأس السنة العبرية', en: 'Rosh Hashana' },
      says: rest,
    },
    yom_kippur: {
      name: { he: 'יום כיפור', ar: 'يوم الغفران', en: 'Yom Kippur' },
      says: lasting({
        he: 'הכול סגור: אולמות, ספקים ותחבורה.',
        ar: 'كل شيء مغلق: القاعات والمورّدون والمواصلات.',
        en: 'Everything is closed: venues, vendors and transport.',
      }),
    },
    sukkot: { name: { he: 'חג הסוכות', ar: 'عيد العرش', en: 'Sukkot' }, says: rest },
    shemini_atzeret: {
      name: {
        he: 'שמיני עצרת ושמחת תורה',
        ar: 'عيد فرحة التوراة',
        en: 'Shemini Atzeret and Simchat Torah',
      },
      says: rest,
    },
    pesach: { name: { he: 'חג הפסח', ar: 'عيد الفصح اليهودي', en: 'Pesach' }, says: rest },
    pesach_seventh: {
      name: { he: 'שביעי של פסח', ar: 'سابع أيام الفصح اليهودي', en: 'The seventh day of Pesach' },
      says: rest,
    },
    shavuot: { name: { he: 'חג השבועות', ar: 'عيد الأسابيع', en: 'Shavuot' }, says: rest },
    chol_hamoed_sukkot: {
      name: { he: 'חול המועד סוכות', ar: 'أيام عيد العرش الوسطى', en: 'Chol HaMoed Sukkot' },
      says: INTERMEDIATE_DAYS,
    },
    chol_hamoed_pesach: {
      name: { he: 'חול המועד פסח', ar: 'أيام الفصح اليهودي الوسطى', en: 'Chol HaMoed Pesach' },
      says: INTERMEDIATE_DAYS,
    },

    fast_of_gedaliah: {
      name: { he: 'צום גדליה', ar: 'صوم جدليا', en: 'The Fast of Gedaliah' },
      says: fast,
    },
    tenth_of_tevet: {
      name: { he: 'עשרה בטבת', ar: 'صوم العاشر من طيفت', en: 'The Tenth of Tevet' },
      says: fast,
    },
    fast_of_esther: {
      name: { he: 'תענית אסתר', ar: 'صوم إستير', en: 'The Fast of Esther' },
      says: fast,
    },
    seventeenth_of_tammuz: {
      name: { he: 'צום י״ז בתמוז', ar: 'صوم السابع عشر من تموز', en: 'The Seventeenth of Tammuz' },
      says: fast,
    },
    tisha_beav: {
      name: { he: 'תשעה באב', ar: 'التاسع من آب', en: 'Tisha BeAv' },
      says: lasting({
        he: 'לא נערכות אז חתונות, והרשויות המקומיות רשאיות לסגור בלילה את מקומות הבידור.',
        ar: 'لا تُعقد فيه حفلات زفاف يهودية، وللسلطات المحلية أن تغلق أماكن الترفيه في ليلته.',
        en: 'Jewish weddings are not held then, and local authorities may close places of entertainment that night.',
      }),
    },

    ten_days_of_repentance: {
      name: { he: 'עשרת ימי תשובה', ar: 'أيام التوبة العشرة', en: 'The Ten Days of Repentance' },
      says: {
        he: 'יש קהילות שאינן עורכות חתונות בין ראש השנה ליום כיפור.',
        ar: 'بعض الطوائف لا تقيم زفافًا بين رأس السنة العبرية ويوم الغفران.',
        en: 'Some communities hold no weddings between Rosh Hashana and Yom Kippur.',
      },
    },
    omer: {
      name: { he: 'ספירת העומר', ar: 'أيام العومر', en: 'The Omer' },
      says: {
        he: 'לפי מנהג אשכנז לא נערכות חתונות עד ל״ג בעומר, ולפי מנהג הספרדים עד הבוקר של יום ל״ד. יש קהילות שמתחילות רק בראש חודש אייר.',
        ar: 'لا يقيم الأشكناز زفافًا حتى لاغ بعومر، ولا السفارديم حتى صباح اليوم الرابع والثلاثين. وبعض الطوائف تبدأ في أول أيار.',
        en: 'By Ashkenazi custom no weddings are held until Lag BaOmer, by Sephardi custom until the morning of the 34th day. Some communities begin on 1 Iyar only.',
      },
    },
    lag_baomer: {
      name: { he: 'ל״ג בעומר', ar: 'لاغ بعومر', en: 'Lag BaOmer' },
      says: {
        he: 'לפי מנהג אשכנז נערכות בו חתונות (יש המתירים רק מהבוקר), ואולמות וספקים מבוקשים.',
        ar: 'يقيم الأشكناز فيه حفلات الزفاف (بعضهم من الصباح فقط)، فيكثر الطلب على القاعات والمورّدين.',
        en: 'By Ashkenazi custom weddings are held on it (by some only from the morning on); venues and vendors are in demand.',
      },
    },
    omer_to_34th: {
      name: {
        he: 'ספירת העומר, עד יום ל״ד',
        ar: 'أيام العومر حتى الرابع والثلاثين',
        en: 'The Omer, until the 34th day',
      },
      says: {
        he: 'לפי מנהג הספרדים לא נערכות חתונות עד הבוקר של יום ל״ד בעומר.',
        ar: 'لا يقيم السفارديم زفافًا حتى صباح اليوم الرابع والثلاثين من العومر.',
        en: 'By Sephardi custom no weddings are held until the morning of the 34th day of the Omer.',
      },
    },
    omer_after_33rd: {
      name: {
        he: 'ספירת העומר, אחרי ל״ג',
        ar: 'أيام العومر بعد لاغ بعومر',
        en: 'The Omer, after Lag BaOmer',
      },
      says: {
        he: 'יש קהילות שאינן עורכות חתונות גם אחרי ל״ג בעומר, עד סמוך לשבועות.',
        ar: 'بعض الطوائف لا تقيم زفافًا بعد لاغ بعومر أيضًا، حتى قرب عيد الأسابيع.',
        en: 'Some communities hold no weddings after Lag BaOmer either, until shortly before Shavuot.',
      },
    },
    three_weeks: {
      name: { he: 'בין המצרים', ar: 'الأسابيع الثلاثة', en: 'The Three Weeks' },
      says: {
        he: 'לפי מנהג אשכנז לא נערכות חתונות מי״ז בתמוז עד אחרי תשעה באב; אצל הספרדים רק מראש חודש אב, או בשבוע של תשעה באב.',
        ar: 'لا يقيم الأشكناز زفافًا من السابع عشر من تموز حتى ما بعد التاسع من آب؛ والسفارديم من أول آب فقط أو في أسبوع التاسع منه.',
        en: 'By Ashkenazi custom no weddings are held from 17 Tammuz until after Tisha BeAv; by Sephardi custom only from 1 Av, or in the week of Tisha BeAv.',
      },
    },
    nine_days: {
      name: { he: 'תשעת הימים', ar: 'الأيام التسعة', en: 'The Nine Days' },
      says: {
        he: 'לא נערכות חתונות עד אחרי תשעה באב (יש ספרדים שנוהגים כך רק בשבוע של תשעה באב), ורבים נמנעים מבשר ומיין.',
        ar: 'لا تُعقد حفلات زفاف يهودية حتى ما بعد التاسع من آب (عند بعض السفارديم في أسبوعه فقط)، وكثيرون يمتنعون عن اللحم والنبيذ.',
        en: 'Jewish weddings are not held until after Tisha BeAv (by some Sephardi customs only in its week), and many abstain from meat and wine.',
      },
    },
    tu_beav: {
      name: { he: 'ט״ו באב', ar: 'الخامس عشر من آب العبري', en: 'Tu BeAv' },
      says: {
        he: 'יום שמח ומבוקש לחתונות; כדאי לשריין מקום וספקים מוקדם.',
        ar: 'يوم فرح يكثر فيه الزفاف؛ يُستحسن حجز المكان والمورّدين مبكرًا.',
        en: 'A joyful day that many marry on; book venue and vendors early.',
      },
    },
    hanukkah: {
      name: { he: 'חנוכה', ar: 'عيد الأنوار (حانوكا)', en: 'Hanukkah' },
      says: {
        he: 'נערכות שמחות, ובתי הספר בחופשה.',
        ar: 'تقام الأفراح، والمدارس في عطلة.',
        en: 'Celebrations are held, and schools are on holiday.',
      },
    },
    purim: {
      name: { he: 'פורים', ar: 'عيد المساخر (بوريم)', en: 'Purim' },
      says: {
        he: 'נערכות שמחות, אך ספקים רבים אינם עובדים והבנקים סגורים. בירושלים חוגגים למחרת.',
        ar: 'تقام الأفراح، لكن كثيرًا من المورّدين لا يعملون والبنوك مغلقة. في القدس يُحتفل به في اليوم التالي.',
        en: 'Celebrations are held, but many vendors do not work and banks are closed. Jerusalem keeps it on the next day.',
      },
    },
    shushan_purim: {
      name: { he: 'שושן פורים', ar: 'بوريم القدس (شوشان بوريم)', en: 'Shushan Purim' },
      says: {
        he: 'בירושלים פורים היום: נערכות שמחות, אך ספקים רבים בה אינם עובדים.',
        ar: 'اليوم بوريم في القدس: تقام الأفراح، لكن كثيرًا من المورّدين فيها لا يعملون.',
        en: 'It is Purim in Jerusalem: celebrations are held, but many vendors there do not work.',
      },
    },

    holocaust_remembrance_day: {
      name: {
        he: 'יום הזיכרון לשואה ולגבורה',
        ar: 'يوم ذكرى المحرقة والبطولة',
        en: 'Holocaust Remembrance Day',
      },
      says: CLOSED_BY_LAW,
    },
    remembrance_day: {
      name: {
        he: 'יום הזיכרון לחללי מערכות ישראל ולנפגעי פעולות האיבה',
        ar: 'يوم الذكرى لقتلى معارك إسرائيل وضحايا الأعمال العدائية',
        en: 'Remembrance Day for the fallen and for victims of terror',
      },
      says: CLOSED_BY_LAW,
    },
    independence_day: {
      name: { he: 'יום העצמאות', ar: 'يوم الاستقلال', en: 'Independence Day' },
      says: {
        he: 'יום שבתון, והעבודה בו יקרה יותר. יש הנוהגים לערוך בו שמחות גם בימי העומר.',
        ar: 'يوم عطلة رسمية، والعمل فيه أعلى كلفة. وهناك من اليهود من يقيم فيه الأفراح حتى في أيام العومر.',
        en: 'A public holiday, on which work costs more. Some hold celebrations on it even in the Omer.',
      },
    },

    ramadan: {
      name: { he: 'רמדאן', ar: 'رمضان', en: 'Ramadan' },
      says: bySighting({
        he: 'לא נהוג לערוך חתונות בחודש הצום; סעודה מתאימה רק אחרי השקיעה.',
        ar: 'لا تقام الأعراس عادةً في شهر الصوم؛ ولا تناسب الوليمة إلا بعد الإفطار.',
        en: 'By custom, weddings are not held in the month of fasting; a meal is suitable only after sunset.',
      }),
    },
    eid_al_fitr: {
      name: { he: 'עיד אל־פיטר', ar: 'عيد الفطر', en: 'Eid al-Fitr' },
      says: bySighting(DAYS_OFF),
    },
    eid_al_adha: {
      name: { he: 'עיד אל־אדחא', ar: 'عيد الأضحى', en: 'Eid al-Adha' },
      says: bySighting(DAYS_OFF),
    },
    islamic_new_year: {
      name: { he: 'ראש השנה ההיג׳רית', ar: 'رأس السنة الهجرية', en: 'The Islamic New Year' },
      says: bySighting({
        he: 'תחילת השנה המוסלמית; יש עסקים סגורים.',
        ar: 'بداية السنة الهجرية؛ بعض المصالح مغلقة.',
        en: 'The Muslim year begins; some businesses are closed.',
      }),
    },
    ashura: {
      name: { he: 'עאשוראא', ar: 'عاشوراء', en: 'Ashura' },
      says: bySighting({
        he: 'יש הצמים בו עד השקיעה.',
        ar: 'هناك من يصومه حتى الغروب.',
        en: 'Some fast on it until sunset.',
      }),
    },
    mawlid: {
      name: { he: 'הולדת הנביא מוחמד', ar: 'المولد النبوي', en: 'The Prophet’s Birthday' },
      says: bySighting({
        he: 'נערכות חגיגות, ויש עסקים סגורים.',
        ar: 'تقام الاحتفالات، وبعض المصالح مغلقة.',
        en: 'There are festivities, and some businesses are closed.',
      }),
    },

    western_christmas: {
      name: {
        he: 'חג המולד, לפי הלוח המערבי',
        ar: 'عيد الميلاد، حسب التقويم الغربي',
        en: 'Christmas, by the Western calendar',
      },
      says: JOYFUL_DAY_OFF,
    },
    eastern_christmas: {
      name: {
        he: 'חג המולד, לפי הלוח המזרחי',
        ar: 'عيد الميلاد، حسب التقويم الشرقي',
        en: 'Christmas, by the Eastern calendar',
      },
      says: JOYFUL_DAY_OFF,
    },
    western_lent: {
      name: {
        he: 'הצום הגדול, לפי הלוח המערבי',
        ar: 'الصوم الكبير، حسب التقويم الغربي',
        en: 'Lent, by the Western calendar',
      },
      says: NO_LENTEN_WEDDINGS,
    },
    eastern_lent: {
      name: {
        he: 'הצום הגדול, לפי הלוח המזרחי',
        ar: 'الصوم الكبير، حسب التقويم الشرقي',
        en: 'Lent, by the Eastern calendar',
      },
      says: NO_LENTEN_WEDDINGS,
    },
    western_good_friday: {
      name: {
        he: 'יום שישי הטוב, לפי הלוח המערבי',
        ar: 'الجمعة العظيمة، حسب التقويم الغربي',
        en: 'Good Friday, by the Western calendar',
      },
      says: GOOD_FRIDAY,
    },
    eastern_good_friday: {
      name: {
        he: 'יום שישי הטוב, לפי הלוח המזרחי',
        ar: 'الجمعة العظيمة، حسب التقويم الشرقي',
        en: 'Good Friday, by the Eastern calendar',
      },
      says: GOOD_FRIDAY,
    },
    western_easter: {
      name: {
        he: 'חג הפסחא, לפי הלוח המערבי',
        ar: 'عيد الفصح، حسب التقويم الغربي',
        en: 'Easter, by the Western calendar',
      },
      says: JOYFUL_DAY_OFF,
    },
    eastern_easter: {
      name: {
        he: 'חג הפסחא, לפי הלוח המזרחי',
        ar: 'عيد الفصح، حسب التقويم الشرقي',
        en: 'Easter, by the Eastern calendar',
      },
      says: JOYFUL_DAY_OFF,
    },

    druze_ten_nights: {
      name: {
        he: 'עשרת הלילות שלפני עיד אל־אדחא',
        ar: 'ليالي العشر',
        en: 'The ten nights before Eid al-Adha',
      },
      says: bySighting({
        he: 'ימים של תפילה ושקט בעדה הדרוזית לקראת החג.',
        ar: 'أيام صلاة وسكينة لدى الدروز قبل العيد.',
        en: 'Days of prayer and quiet among the Druze before the feast.',
      }),
    },
    nabi_shuayb: {
      name: { he: 'זיארת נבי שועייב', ar: 'زيارة النبي شعيب', en: 'Ziyarat Nabi Shu’ayb' },
      says: {
        he: 'חג הדרוזים: רבים עולים אל הקבר, ועסקים רבים סגורים.',
        ar: 'عيد الدروز: كثيرون يزورون المقام، وكثير من المصالح مغلقة.',
        en: 'The Druze feast: many visit the shrine, and many businesses are closed.',
      },
    },
  } satisfies Record<Occasion, OccasionWords>,

  restOfOthers,
  eve: {
    name: ({ he, ar, en }: Words): Words => ({ he: `ערב ${he}`, ar: `عشية ${ar}`, en: `The eve of ${en}` }),
    says: ({ begins, where }: OccasionTimes): Words => ({
      he: `הכניסה ב${begins.he} (הדלקת הנרות ${where.he}); כדאי לסיים בזמן, כדי שמוזמנים וספקים יספיקו להגיע הביתה.`,
      ar: `يبدأ ${begins.ar} (إضاءة الشموع ${where.ar})؛ يُستحسن إنهاء المناسبة قبل ذلك بوقت كافٍ لوصول المدعوين والمورّدين إلى بيوتهم.`,
      en: `It begins on ${begins.en} (candle lighting ${where.en}); end early enough for guests and vendors to be home by then.`,
    }),
  },
  end: {
    name: ({ he, ar, en }: Words): Words => ({
      he: `מוצאי ${he}`,
      ar: `بعد انتهاء ${ar}`,
      en: `The night after ${en}`,
    }),
    says: ({ endsAt, where }: OccasionTimes): Words => ({
      he: `היציאה ב־${endsAt} (${where.he}), ורק אחריה ספקים שומרי שבת מתחילים בהכנות.`,
      ar: `ينتهي في الساعة ${endsAt} (${where.ar})، وبعدها فقط يبدأ المورّدون المحافظون على السبت بالتحضير.`,
      en: `It ends at ${endsAt} (${where.en}); vendors who keep Shabbat can only begin to set up then.`,
    }),
  },

  /** Words for a weekday and an hour, for use after a preposition. */
  hourOf: (weekday: Words, hour: string): Words => ({
    he: `${weekday.he} ב־${hour}`,
    ar: `${weekday.ar} الساعة ${hour}`,
    en: `${weekday.en} ${hour}`,
  }),
} as const;

/** Name of the reason why people are not at work. */
export function offName(off: Closure | 'friday'): Words {
  return off === 'friday' ? { he: 'יום שישי', ar: 'يوم الجمعة', en: 'Friday' } : closureName(off);
}

/** Name of the reason why banks are closed. */
export function closureName({ occasion, isEve }: Closure): Words {
  const { name } = messages.occasions[occasion];
  return isEve ? messages.eve.name(name) : name;
}
