import { addHebrewPrefix } from '../../kernel/hebrew.ts';
import type { Language, Words } from '../../kernel/languages.ts';
import type { FewerPeople } from './capacity/capacity.ts';
import { invitationForWords, peopleWords, plusOnesWords } from './people-words.ts';

/** Number of people for use after a Hebrew preposition: a number in digits is joined to the preposition by a hyphen. */
function hebrewTo(people: number): string {
  return people > 2 ? `־${peopleWords.he(people)}` : peopleWords.he(people);
}

/** Text that says how many people are invited, and how many more may come; no full stop. */
function partyWords(invited: number, plusOnes: number): Words {
  const words = (language: Language) =>
    plusOnesWords[language](invitationForWords[language](invited), plusOnes);
  return { he: words('he'), ar: words('ar'), en: words('en') };
}

function afterFullStop({ he, ar, en }: Words): Words {
  return { he: `. ${he}`, ar: `. ${ar}`, en: `. ${en}` };
}

type Sentences<Parts extends unknown[]> = Readonly<Record<Language, (...parts: Parts) => string>>;

interface RowAbove {
  ref: string;
  name: string;
}

/** Name of a row of an imported file by the row's reference: `12` is row 12, `Groom!12` row 12 of the sheet `Groom`. */
const rowWords: Readonly<Record<Language, (ref: string) => string>> = {
  he: (ref) => inSheet(ref, (row, sheet) => `${row} בגיליון "${sheet}"`),
  ar: (ref) => inSheet(ref, (row, sheet) => `${row} في الورقة "${sheet}"`),
  en: (ref) => inSheet(ref, (row, sheet) => `${row} of the sheet "${sheet}"`),
};

function inSheet(ref: string, words: (row: string, sheet: string) => string): string {
  const [, sheet, row = ref] = /^(?:(.*)!)?[A-Z]*(\d+)$/s.exec(ref) ?? [];
  return sheet === undefined ? row : words(row, sheet);
}

/**
 * Keeps a phone number or an address in its order from left to right within a sentence that is written from right to
 * left.
 */
const leftToRight = (text: string): string => `\u2066${text}\u2069`;

/** Messages of the guest API. */
export const messages = {
  noSuchGuest: { he: 'האורח לא נמצא.', ar: 'لم نجد هذا الضيف.', en: 'There is no such guest.' },
  idsForm: {
    he: 'נדרשת רשימה של מזהי אורחים (UUID), מ־1 עד 10,000.',
    ar: 'يلزم قائمة بمعرّفات الضيوف (UUID)، من 1 إلى 10,000.',
    en: 'must be a list of 1 to 10,000 guest ids (UUIDs).',
  },
  nobodyChosen: {
    he: 'יש לבחור אורחים: guest_ids, filter או שניהם.',
    ar: 'يجب تحديد الضيوف المقصودين: guest_ids أو filter أو كلاهما.',
    en: 'Select guests with guest_ids, filter or both.',
  },
  nothingToChange: {
    he: 'לא צוין מה לשנות.',
    ar: 'لم يُحدَّد ما يجب تغييره.',
    en: 'There is nothing to change.',
  },
  tooManyAtOnce: (most: number): Words => ({
    he: `אפשר לשנות עד ${most.toLocaleString('he')} אורחים בבת אחת; אפשר לצמצם את הסינון.`,
    ar: `يمكن تغيير ${most.toLocaleString('ar-u-nu-latn')} ضيف على الأكثر دفعة واحدة؛ يمكن تضييق التصفية.`,
    en: `At most ${most.toLocaleString('en')} guests can be changed at once; narrow the filter.`,
  }),
  tooManyTags: (name: string, most: number): Words => ({
    he: `${addHebrewPrefix('ל', name)} יהיו יותר מ־${most} תגיות.`,
    ar: `سيكون لدى ${name} أكثر من ${most} وسمًا.`,
    en: `${name} would have more than ${most} tags.`,
  }),
  notDeleted: {
    he: 'אין כאן אורח כזה שנמחק ב־30 הימים האחרונים.',
    ar: 'لا يوجد ضيف كهذا حُذف خلال آخر 30 يومًا.',
    en: 'No such guest was deleted within the last 30 days.',
  },
  /** Refusal of a phone number or an email address that another guest has. */
  duplicateContact: {
    phone: (phone: string, name: string): Words => ({
      he: `הטלפון ${leftToRight(phone)} כבר רשום אצל אורח אחר: ${name}.`,
      ar: `الرقم ${leftToRight(phone)} مسجّل لضيف آخر: ${name}.`,
      en: `Another guest has the phone number ${phone}: ${name}.`,
    }),
    email: (email: string, name: string): Words => ({
      he: `כתובת המייל ${leftToRight(email)} כבר רשומה אצל אורח אחר: ${name}.`,
      ar: `البريد الإلكتروني ${leftToRight(email)} مسجّل لضيف آخر: ${name}.`,
      en: `Another guest has the email address ${email}: ${name}.`,
    }),
  },
  /** Mistakes in the members of a party, who are people of a guest by name. */
  unknownMember: {
    he: 'אין אצל האורח הזה אדם עם המזהה הזה. לאדם חדש לא שולחים מזהה.',
    ar: 'ليس لدى هذا الضيف شخص بهذا المعرّف. لإضافة شخص جديد لا يُرسل معرّف.',
    en: 'This guest has no member with this id. A new member is sent without one.',
  },
  memberTwice: {
    he: 'המזהה הזה מופיע פעמיים.',
    ar: 'هذا المعرّف مكرر.',
    en: 'This id comes twice.',
  },
  fewerThanMembers: (byName: number, number: number): Words => ({
    he: `המספר לא יכול להיות קטן ממספר האנשים שרשומים בשמם. לפי השמות: ${byName}, לפי המספר: ${number}.`,
    ar: `لا يمكن أن يكون العدد أقل من عدد الأشخاص المسجّلين بأسمائهم. حسب الأسماء: ${byName}، حسب العدد: ${number}.`,
    en: `The number can’t be smaller than the number of people by name. By name: ${byName}, number: ${number}.`,
  }),
  moreMembers: (byName: number, most: number): Words => ({
    he: `רשומים יותר שמות מאנשים. שמות: ${byName}, אנשים: ${most}.`,
    ar: `عدد الأسماء أكبر من عدد الأشخاص. الأسماء: ${byName}، الأشخاص: ${most}.`,
    en: `There can’t be more people by name than people. By name: ${byName}, people: ${most}.`,
  }),
  full: (most: number): Words => ({
    he: `כרגע יש מקום ל${hebrewTo(most)} לכל היותר; המקומות שכבר נשמרו נשארים שמורים.`,
    ar: `يوجد حاليًا مكان لـ${peopleWords.ar(most)} على الأكثر؛ الأماكن المحفوظة تبقى محفوظة.`,
    en: `There is room for ${peopleWords.en(most)} at most right now; the places they already have stay theirs.`,
  }),
  /** Refusal of an answer with more people than the guest may bring. */
  beyondParty(invited: number, plusOnes: number): Words {
    const { he, ar, en } = partyWords(invited, plusOnes);
    return {
      he: `${he}; המקומות שכבר נשמרו נשארים שמורים.`,
      ar: `${ar}؛ الأماكن المحفوظة تبقى محفوظة.`,
      en: `${en}; the places already given are kept.`,
    };
  },
  /** Warnings to an organizer about a guest who said yes, such as that there are not enough places. */
  waits: {
    he: 'כרגע אין די מקומות, ולכן האורח ברשימת ההמתנה ויקבל מקומות כשיתפנו. כדי לתת מקומות בכל זאת: over_limit.',
    ar: 'لا توجد أماكن كافية حاليًا، ولذلك فالضيف في قائمة الانتظار وسيحصل على أماكن عندما تتوفر. لمنح الأماكن رغم ذلك: over_limit.',
    en: 'There are not enough places right now, so this guest is on the waiting list and gets places once they are free. To give places anyway: over_limit.',
  },
  fewer({ asked, coming, upTo, party_size, mayBring }: FewerPeople): Words {
    const why =
      mayBring === null
        ? { he: `: אפשר עד ${upTo}`, ar: `: يمكن حتى ${upTo}`, en: `: up to ${upTo} can come` }
        : afterFullStop(partyWords(party_size, mayBring));
    return {
      he: `נשמרו מקומות ל${hebrewTo(coming)} ולא ל${hebrewTo(asked)}${why.he}. כדי לתת מקומות בכל זאת: over_limit.`,
      ar: `حُفظت أماكن لـ${peopleWords.ar(coming)} وليس لـ${peopleWords.ar(asked)}${why.ar}. لمنح الأماكن رغم ذلك: over_limit.`,
      en: `There are places for ${peopleWords.en(coming)}, not for ${asked}${why.en}. To give places anyway: over_limit.`,
    };
  },
  /** Refusal of an answer by phone for more people than can come, of which nothing is saved. */
  moreThanCanCome({ upTo, party_size, mayBring }: FewerPeople): Words {
    const { he, ar, en } =
      mayBring === null
        ? {
            he: `כרגע יש מקום ל${hebrewTo(upTo)} לכל היותר`,
            ar: `يوجد حاليًا مكان لـ${peopleWords.ar(upTo)} على الأكثر`,
            en: `There is room for ${peopleWords.en(upTo)} at most right now`,
          }
        : partyWords(party_size, mayBring);
    return {
      he: `${he}. השיחה עוד לא נרשמה.`,
      ar: `${ar}. لم تُسجَّل المكالمة بعد.`,
      en: `${en}. The call is not saved yet.`,
    };
  },
  plusOnes: (more: number, invited: number): Words => ({
    he: `${more === 1 ? 'מגיע אדם אחד' : `מגיעים ${peopleWords.he(more)}`} מעבר למוזמנים (${invited}).`,
    ar: `${peopleWords.ar(more)} أكثر من عدد المدعوين (${invited}).`,
    en: `Brings ${more} more than invited (${invited}).`,
  }),
  mealsBeyondPeople: (meals: number, coming: number): Words => ({
    he: `יותר מנות ממגיעים. מנות מיוחדות: ${meals}; מגיעים: ${coming}. בסיכומים נספרת מנה אחת לכל מגיע.`,
    ar: `عدد الوجبات أكبر من عدد الحاضرين. الوجبات الخاصة: ${meals}؛ الحاضرون: ${coming}. في المجاميع تُحسب وجبة واحدة لكل حاضر.`,
    en: `There are more special meals than people. Special meals: ${meals}; coming: ${coming}. Totals count one meal for each person.`,
  }),
  maybeIsNoAnswer: {
    he: 'אי אפשר יחד עם כן או לא (rsvp_status).',
    ar: 'لا يجتمع مع نعم أو لا (rsvp_status).',
    en: 'can’t be combined with a yes or a no (rsvp_status).',
  },
  withYesOnly: {
    he: 'נשלח רק יחד עם אישור הגעה (rsvp_status: confirmed).',
    ar: 'يُرسل فقط مع تأكيد الحضور (rsvp_status: confirmed).',
    en: 'is only possible with a yes (rsvp_status: confirmed).',
  },
  wrongFileType: {
    he: 'יש לשלוח קובץ CSV, XLSX, ODS או vCard: כגוף הבקשה (text/csv, text/vcard, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet או application/vnd.oasis.opendocument.spreadsheet) או כטופס (multipart/form-data).',
    ar: 'يجب إرسال ملف CSV أو XLSX أو ODS أو vCard: كمحتوى للطلب (text/csv أو text/vcard أو application/vnd.openxmlformats-officedocument.spreadsheetml.sheet أو application/vnd.oasis.opendocument.spreadsheet) أو كنموذج (multipart/form-data).',
    en: 'Send a CSV, XLSX, ODS or vCard file: as the body (text/csv, text/vcard, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet or application/vnd.oasis.opendocument.spreadsheet) or as a form (multipart/form-data).',
  },
  fileTooLarge: {
    he: 'הקובץ גדול מדי; הגודל המרבי הוא 20 מגה־בייט (20 MiB).',
    ar: 'الملف كبير جدًا؛ الحد الأقصى 20 ميبيبايت (20 MiB).',
    en: 'The file is too large; at most 20 MiB are accepted.',
  },
  noFile: { he: 'לא נשלח קובץ.', ar: 'لم يُرسل ملف.', en: 'No file was sent.' },
  unreadable: {
    broken: {
      he: 'אי אפשר לקרוא את הקובץ; יש לשלוח CSV, XLSX או ODS תקין.',
      ar: 'لا يمكن قراءة الملف؛ أرسل ملف CSV أو XLSX أو ODS سليمًا.',
      en: 'The file can’t be read; send a valid CSV, XLSX or ODS file.',
    },
    undecodable: {
      he: 'יש בקובץ תווים שאי אפשר לקרוא; יש לשמור אותו כ־CSV UTF-8 או כ־XLSX ולשלוח שוב.',
      ar: 'في الملف رموز تتعذّر قراءتها؛ احفظه بصيغة CSV UTF-8 أو XLSX ثم أرسله من جديد.',
      en: 'The file has characters that can’t be read; save it as CSV UTF-8 or as XLSX and send it again.',
    },
    old_excel: {
      he: 'זהו קובץ Excel בתבנית ישנה או מוצפן; יש לשמור אותו כ־XLSX בלי סיסמה ולשלוח שוב.',
      ar: 'هذا ملف Excel بصيغة قديمة أو مشفّر؛ احفظه بصيغة XLSX دون كلمة مرور ثم أرسله من جديد.',
      en: 'This Excel file is encrypted or in an old format; save it as XLSX without a password and send it again.',
    },
    encrypted: {
      he: 'הקובץ מוגן בסיסמה; יש לשמור אותו בלי סיסמה ולשלוח שוב.',
      ar: 'الملف محمي بكلمة مرور؛ احفظه دونها ثم أرسله من جديد.',
      en: 'The file is protected by a password; save it without one and send it again.',
    },
    too_many_rows: {
      he: 'יש בקובץ יותר מ־50,000 שורות; אפשר לחלק אותו לכמה קבצים.',
      ar: 'في الملف أكثر من 50,000 صف؛ يمكن تقسيمه إلى عدة ملفات.',
      en: 'The file has more than 50,000 rows; split it into several files.',
    },
    too_large: {
      he: 'הקובץ גדול מדי לאחר פריסה.',
      ar: 'يصبح الملف كبيرًا جدًا عند فكّه.',
      en: 'The file is too large when unpacked.',
    },
    row_too_large: {
      he: 'באחת השורות בקובץ יש יותר מ־200,000 תווים, והשורה יכולה להכיל עד 200,000; תא ממוזג או חוזר נספר בכל פעם. בקובץ CSV ייתכן שמירכאות לא נסגרו.',
      ar: 'في أحد صفوف الملف أكثر من 200,000 حرف، والحد الأقصى للصف 200,000؛ الخلية المدمجة أو المكررة تُحسب كل مرة. في ملف CSV قد تكون علامة اقتباس لم تُغلق.',
      en: 'A row of the file has more than 200,000 characters, which is the limit for a row; merged or repeated cells count each time. In a CSV file, a quotation mark may be missing its closing one.',
    },
    text_too_large: {
      he: 'יש בקובץ יותר מ־20 מיליון תווים, ואפשר לקרוא עד 20 מיליון; תא ממוזג או חוזר נספר בכל פעם. אפשר לחלק אותו לכמה קבצים.',
      ar: 'في الملف أكثر من 20 مليون حرف، والحد الأقصى 20 مليونًا؛ الخلية المدمجة أو المكررة تُحسب كل مرة. يمكن تقسيمه إلى عدة ملفات.',
      en: 'The file has more than 20 million characters, which is the limit; merged or repeated cells count each time. Split it into several files.',
    },
    empty: { he: 'הקובץ ריק.', ar: 'الملف فارغ.', en: 'The file is empty.' },
  },
  tooMuchToMend: {
    he: 'בשורות שלא נקלטו יש יחד יותר מ־20 מיליון תווים, ואי אפשר להחזיר אותן לתיקון. אפשר לחלק את הקובץ לכמה קבצים, או לראות מה לתקן בלי on_problem=skip.',
    ar: 'في الصفوف التي لم تُستورد أكثر من 20 مليون حرف، ولا يمكن إعادتها للتصحيح. يمكن تقسيم الملف إلى عدة ملفات، أو معرفة ما يجب تصحيحه دون on_problem=skip.',
    en: 'The rows that were not imported have more than 20 million characters together, so they can’t be returned for correction. Split the file into several, or find out what to correct without on_problem=skip.',
  },
  malformedForm: {
    he: 'לא הצלחנו לקרוא את הטופס. נדרש טופס multipart/form-data שלם עם קובץ אחד.',
    ar: 'تعذّرت قراءة النموذج. يلزم نموذج multipart/form-data كامل فيه ملف واحد.',
    en: 'The form can’t be read. It must be a complete multipart/form-data form with one file.',
  },
  noNameColumn: {
    he: 'לא מצאנו בקובץ עמודה של שמות. באחת מ־20 השורות הראשונות נדרשות כותרות, למשל: שם, טלפון, מייל, תגיות, מספר מוזמנים; או שאפשר לציין מה יש בכל עמודה (mapping).',
    ar: 'لم نجد في الملف عمودًا للأسماء. يلزم أن يحتوي أحد الصفوف العشرين الأولى على عناوين، مثل: الاسم، الهاتف، البريد الإلكتروني، الوسوم، عدد المدعوين؛ أو يمكن تحديد محتوى كل عمود (mapping).',
    en: 'No column of names was found. One of the first 20 rows needs headings, such as: name, phone, email, tags, party size; or assign fields to the columns (mapping).',
  },
  rowsRefused: (count: number): Words => ({
    he:
      count === 1
        ? 'שורה אחת מחכה לתיקון או להחלטה, ולכן דבר לא נשמר. אפשר לתקן ולשלוח שוב, או לקלוט רק את השאר (on_problem=skip).'
        : `${count.toLocaleString('he')} שורות מחכות לתיקון או להחלטה, ולכן דבר לא נשמר. אפשר לתקן ולשלוח שוב, או לקלוט רק את השאר (on_problem=skip).`,
    ar: `عدد الصفوف التي تحتاج إلى تصحيح أو قرار: ${count.toLocaleString('ar-u-nu-latn')}، ولذلك لم يُحفظ شيء. يمكن تصحيحها والإرسال من جديد، أو استيراد الباقي فقط (on_problem=skip).`,
    en:
      count === 1
        ? 'One row needs a correction or a decision, so nothing was saved. Correct it and send the file again, or import only the others (on_problem=skip).'
        : `${count.toLocaleString('en')} rows need a correction or a decision, so nothing was saved. Correct them and send the file again, or import only the others (on_problem=skip).`,
  }),
  tooManyPhones: ({ most, longest }: { most: number; longest: number }): Words => ({
    he: `בתא אחד אפשר לרשום עד ${most} מספרי טלפון, ב־${longest} תווים לכל היותר.`,
    ar: `يمكن كتابة ${most} أرقام هواتف على الأكثر في خلية واحدة، في ${longest} حرف كحد أقصى.`,
    en: `can have at most ${most} numbers in one cell, in at most ${longest} characters.`,
  }),
  howManyMeals: {
    he: 'כאן כותבים כמה מנות כאלה: מספר, כן או לא. מנה מסוג אחר נרשמת בעמודה שלה.',
    ar: 'يُكتب هنا عدد الوجبات من هذا النوع: رقم أو نعم أو لا. أما وجبة من نوع آخر فتُكتب في عمودها.',
    en: 'must be the number of such meals, yes or no. Meals of another kind go into their own column.',
  },
  /**
   * Sentences about the cell of an imported list, shown after the name of its column: the values that the column
   * accepts, and the cell's content.
   */
  accepted: {
    he: (words) => `אפשר לכתוב: ${words.join(', ')}.`,
    ar: (words) => `يمكن كتابة: ${words.join('، ')}.`,
    en: (words) => `can be: ${words.join(', ')}.`,
  } satisfies Sentences<[readonly string[]]>,
  acceptedToo: {
    he: (words) => `אפשר גם: ${words.join(', ')}.`,
    ar: (words) => `يمكن أيضًا: ${words.join('، ')}.`,
    en: (words) => `Also possible: ${words.join(', ')}.`,
  } satisfies Sentences<[readonly string[]]>,
  unread: (cells: readonly string[]): Words => ({
    he: `לא ניתן לקרוא את ${cells.join(', ')}: יש שם שגיאה, או נוסחה שערכה לא נשמר בקובץ.`,
    ar: `تعذرت قراءة ${cells.join('، ')}: فيها خطأ، أو معادلة لم تُحفظ قيمتها في الملف.`,
    en: `${cells.join(', ')} can’t be read: the cell has an error, or a formula whose value is not in the file.`,
  }),
  quoted: {
    he: (text) => `בקובץ כתוב: "${text}".`,
    ar: (text) => `المكتوب في الملف: "${text}".`,
    en: (text) => `The file has: "${text}".`,
  } satisfies Sentences<[string]>,
  sameAsRow: (shared: string, { ref, name }: RowAbove): Words => ({
    he: `${shared} כבר מופיע בשורה ${rowWords.he(ref)} (${name}), ולכל אורח נדרש מספר או מייל משלו. אפשר להשאיר אותו באחת השורות בלבד, או לאחד משפחה לשורה אחת עם מספר המוזמנים.`,
    ar: `${shared} موجود في الصف ${rowWords.ar(ref)} (${name})، ولكل ضيف رقمه أو بريده. يمكن إبقاؤه في صف واحد فقط، أو جمع العائلة في صف واحد مع عدد المدعوين.`,
    en: `${shared} is in row ${rowWords.en(ref)} (${name}) as well, but each guest needs their own number or address. Keep it in one of the rows, or make one row for a family, with the number of people.`,
  }),
  sameGuestAsRow: ({ ref, name }: RowAbove): Words => ({
    he: `זה אותו אורח כמו בשורה ${rowWords.he(ref)} (${name}).`,
    ar: `هذا هو الضيف نفسه كما في الصف ${rowWords.ar(ref)} (${name}).`,
    en: `This is the same guest as in row ${rowWords.en(ref)} (${name}).`,
  }),
  twoGuests: (one: string, other: string): Words => ({
    he: `השורה מתאימה לשני אורחים: חלק מהפרטים (מזהה, טלפון או מייל) שייכים ל"${one}" וחלק לאורח אחר, "${other}".`,
    ar: `الصف يطابق ضيفين: بعض التفاصيل (المعرّف أو الهاتف أو البريد) تعود إلى "${one}" وبعضها إلى "${other}".`,
    en: `The row matches two guests: some of its values (id, phone or email) belong to "${one}" and some to "${other}".`,
  }),
  unknownId: {
    he: 'אין באירוע הזה אורח עם המזהה הזה. כדי לצרף אורחים מרשימה של אירוע אחר יש למחוק את עמודת המזהה.',
    ar: 'لا يوجد في هذه المناسبة ضيف بهذا المعرّف. لإضافة ضيوف من قائمة مناسبة أخرى احذف عمود المعرّف.',
    en: 'This event has no guest with this id. To add guests from another event’s list, remove the column of ids.',
  },
  otherName: (name: string): Words => ({
    he: `הטלפון או המייל הם של "${name}" שכבר ברשימה, והשם כאן אחר. אם זה אותו אדם, אפשר לעדכן (doubles=update); אם לא, יש להשאיר את המספר אצל אחד מהם.`,
    ar: `الهاتف أو البريد يعود إلى "${name}" الموجود في القائمة، والاسم هنا مختلف. إن كان الشخص نفسه يمكن التحديث (doubles=update)، وإلا فليبقَ الرقم لدى أحدهما.`,
    en: `The phone or email belongs to "${name}", who is on the list under a different name. If it is the same person, update them (doubles=update); otherwise keep the number with one of them.`,
  }),
  likeGuest: (name: string): Words => ({
    he: `ייתכן ש"${name}" כבר ברשימה: אותו שם, ואין טלפון או מייל שיבדילו. אפשר לדלג (doubles=skip), לצרף כאורח נוסף (create) או לעדכן (update).`,
    ar: `ربما كان "${name}" في القائمة: الاسم نفسه، ولا هاتف أو بريد يميّز بينهما. يمكن التخطي (doubles=skip) أو الإضافة كضيف آخر (create) أو التحديث (update).`,
    en: `"${name}" may already be on the list: the name is the same, and there is no phone or email to tell them apart. Skip the row (doubles=skip), add another guest (create) or update the guest (update).`,
  }),
  otherContact: (name: string, former: string): Words => ({
    he: `ייתכן ש"${name}" כבר ברשימה: אותו שם, והטלפון או המייל שם (${former}) לא מופיע בקובץ. אפשר לעדכן את פרטי הקשר (doubles=update), לצרף כאורח נוסף (create) או לדלג (skip).`,
    ar: `ربما كان "${name}" في القائمة: الاسم نفسه، والهاتف أو البريد هناك (${former}) لا يرد في الملف. يمكن تحديث بيانات الاتصال (doubles=update) أو الإضافة كضيف آخر (create) أو التخطي (skip).`,
    en: `"${name}" may already be on the list: the name is the same, and the phone or email there (${former}) is not in the file. Update the contact details (doubles=update), add another guest (create) or skip the row (skip).`,
  }),
  likeRow: (ref: string): Words => ({
    he: `ייתכן שזה אותו אורח כמו בשורה ${rowWords.he(ref)}: אותו שם, ואין טלפון או מייל שיבדילו. אפשר לדלג (doubles=skip) או לצרף כאורח נוסף (create).`,
    ar: `ربما كان الضيف نفسه كما في الصف ${rowWords.ar(ref)}: الاسم نفسه، ولا هاتف أو بريد يميّز بينهما. يمكن التخطي (doubles=skip) أو الإضافة كضيف آخر (create).`,
    en: `This may be the same guest as in row ${rowWords.en(ref)}: the name is the same, and there is no phone or email to tell them apart. Skip the row (doubles=skip) or add another guest (create).`,
  }),
  howMany: {
    he: 'כמה אנשים במשפחה? בשורה לא כתוב מספר (family_size).',
    ar: 'كم عدد أفراد العائلة؟ لا عدد في الصف (family_size).',
    en: 'How many people are in the family? The row has no number (family_size).',
  },
  malformedFamilySize: {
    he: 'נדרש מספר אנשים, או אובייקט JSON משורה למספר, למשל {"12":4}.',
    ar: 'يلزم عدد أشخاص، أو كائن JSON من صف إلى عدد، مثل {"12":4}.',
    en: 'must be a number of people, or a JSON object from row to number, such as {"12":4}.',
  },
  malformedSheets: {
    he: 'נדרשת רשימת JSON של שמות גיליונות, למשל ["צד כלה","צד חתן"].',
    ar: 'يلزم قائمة JSON بأسماء الأوراق، مثل ["جهة العروس","جهة العريس"].',
    en: 'must be a JSON list of names of sheets, such as ["Bride","Groom"].',
  },
  /** Reasons why an import leaves out a list of guests. */
  listLeft: {
    not_chosen: { he: 'לא נבחר.', ar: 'لم يُختَر.', en: 'Not chosen.' },
    hidden: { he: 'גיליון מוסתר.', ar: 'ورقة مخفية.', en: 'A hidden sheet.' },
    no_names: { he: 'אין בו עמודה של שמות.', ar: 'ليس فيها عمود أسماء.', en: 'It has no column of names.' },
    other_content: {
      he: 'לפי שמו אין בו אורחים.',
      ar: 'يدلّ اسمها على أنها بلا ضيوف.',
      en: 'By its name it has no guests.',
    },
  },
  /** Reasons why an import takes a row of a guest list for no guest but for something else, such as a title. */
  rowLeft: {
    headings: { he: 'כותרות שחוזרות', ar: 'عناوين متكررة', en: 'Headings again' },
    total: { he: 'סיכום', ar: 'مجموع', en: 'A total' },
    section: { he: 'כותרת בתוך הרשימה', ar: 'عنوان داخل القائمة', en: 'A title within the list' },
  },
  /** Reasons why an import leaves out a column although it knows the column's heading. */
  left: {
    row_numbers: {
      he: 'מספרים רצים, ולא מספר מוזמנים.',
      ar: 'أرقام متسلسلة، وليست عدد مدعوين.',
      en: 'Row numbers, not numbers of people.',
    },
    no_numbers: {
      he: 'אין כאן מספרים.',
      ar: 'لا توجد هنا أعداد.',
      en: 'No numbers in this column.',
    },
    no_ids: {
      he: 'אין כאן מזהים של אורחים.',
      ar: 'لا توجد هنا معرّفات ضيوف.',
      en: 'No guest ids in this column.',
    },
    second: {
      he: 'כבר יש עמודה כזאת לפניה.',
      ar: 'يوجد عمود كهذا قبله.',
      en: 'An earlier column has the same field.',
    },
    no_heading: {
      he: 'עמודה בלי כותרת, ולכן היא לא נקלטה.',
      ar: 'عمود بلا عنوان، لذلك لم يُستورد.',
      en: 'No heading, so the column is left out.',
    },
  },
  mappedTwice: (field: string, one: string, other: string): Words => ({
    he: `העמודות ${one} ו־${other} לא יכולות להיות שתיהן ${field}.`,
    ar: `لا يمكن أن يكون العمودان ${one} و${other} كلاهما ${field}.`,
    en: `columns ${one} and ${other} can’t both be ${field}.`,
  }),
  malformedMapping: {
    he: 'נדרש אובייקט JSON מעמודה לשדה, למשל {"טלפון 2":"phone","C":"ignore"}.',
    ar: 'يلزم كائن JSON من عمود إلى حقل، مثل {"الهاتف 2":"phone","C":"ignore"}.',
    en: 'must be a JSON object from column to field, such as {"Phone 2":"phone","C":"ignore"}.',
  },
  noSuchRow: {
    he: 'אין בקובץ אורח בשורה הזאת.',
    ar: 'لا يوجد ضيف في هذا الصف من الملف.',
    en: 'the file has no guest in this row.',
  },
  malformedMends: {
    he: 'נדרש אובייקט JSON משורה לתאים שתוקנו, לפי אותיות העמודה, למשל {"5":{"C":"052-765-4321"}}.',
    ar: 'يلزم كائن JSON من صف إلى الخلايا المصحّحة بحسب أحرف العمود، مثل {"5":{"C":"052-765-4321"}}.',
    en: 'must be a JSON object from row to its corrected cells by column letters, such as {"5":{"C":"052-765-4321"}}.',
  },
  malformedDoubles: {
    he: 'נדרש skip, create או update, או אובייקט JSON משורה לאחד מהם, למשל {"12":"create"}.',
    ar: 'يلزم skip أو create أو update، أو كائن JSON من صف إلى أحدها، مثل {"12":"create"}.',
    en: 'must be skip, create or update, or a JSON object from row to one of these, such as {"12":"create"}.',
  },
} as const;
