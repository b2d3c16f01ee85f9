import type { LanguageName } from '../../kernel/languages.ts';
import { comingWords, englishSalutation, invitationForWords, peopleWords } from '../guests/people-words.ts';

/**
 * Texts of the guest pages. In Hebrew and Arabic they address everybody, so they use the plural or forms without
 * gender.
 */
export interface GuestPageWords {
  name: string;
  /** Name of the guest on the sample page that only the organizer sees. */
  sampleName: string;
  hello(name: string): string;
  invitedTo: string;
  when: string;
  where: string;
  map: string;
  waze: string;
  calendar: string;
  googleCalendar: string;
  /** Label of the link to the event's livestream, on a guest's page. */
  online: string;
  agenda: string;
  backToEvent: string;
  privacy: string;
  accessibility: string;
  /** Label of the hosts' contact, for questions about the event. */
  questions: string;
  question: string;
  yes: string;
  no: string;
  maybe: string;
  howMany: string;
  /** Label of the field for the number of children. It follows the field for the number of people. */
  children: string;
  /** Hint below the form's field for the number of people: how many people are invited. */
  partyOf(people: number): string;
  /** Heading and hint of the form's rows for the people who come, if the event asks for their names. */
  whoComes: string;
  namesHint: string;
  /** Heading of the folded rows for people beyond those who were expected, and a hint to raise the number too. */
  othersCome: string;
  othersHint: string;
  /** Heading of the row of the person who fills in the form. */
  yourself: string;
  person(number: number): string;
  isComing: string;
  isChild: string;
  food: string;
  foodHint: string;
  /** Label of the form's list of meals, for a guest who comes alone. Its first entry is `usualMeal`. */
  whichMeal: string;
  usualMeal: string;
  /** First entry in the list of a question's options, shown until the guest chooses an option. */
  chooseOne: string;
  allergies: string;
  allergiesHint: string;
  message: string;
  messageHint: string;
  send: string;
  update: string;
  until(date: string): string;
  saved: string;
  /** Browser tab title of a guest's page whose form has a mistake. */
  wrongTitle(title: string): string;
  /** Browser tab title, and title of the link preview, of the page of a cancelled event. */
  cancelledTitle(title: string): string;
  comingNow(people: number): string;
  /** Notice, after the event began, for guests who had confirmed that they come. */
  cameThen(people: number): string;
  declinedNow: string;
  maybeNow: string;
  waitingNow(people: number): string;
  /**
   * Number of people in the guest's request, always more than one. The text `upTo`, with the number of people for whom
   * there is room, follows.
   */
  askedFor(people: number): string;
  /** Number of people for whom the event has room, if a guest requested places for more. */
  upTo(people: number): string;
  /** Hint for guests on the waiting list: places are free for a smaller number of people. */
  orUpTo(people: number): string;
  /** Title of the page of an event that is still a draft; the text `closed.draft` follows. */
  notYet: string;
  closed: Readonly<Record<'draft' | 'cancelled' | 'over' | 'late', string>>;
  problems: Readonly<
    Record<
      | 'status'
      | 'coming'
      | 'children'
      | 'meals'
      | 'meal'
      | 'answers'
      | 'text'
      | 'notForm'
      | 'tooLarge'
      | 'broken'
      | 'contact'
      | 'phone'
      | 'email'
      | 'fewer'
      | 'name'
      | 'nameLong'
      | 'names',
      string
    >
  >;
  /** Notice after too many requests, with the minutes to wait; 0 stands for less than a minute. */
  tooOften(minutes: number): string;
  notFound: string;
  notFoundHint: string;
  unsubscribe: string;
  unsubscribeQuestion: string;
  unsubscribed: string;
  subscribeAgain: string;
  ask: string;
  askIntro: string;
  yourName: string;
  yourPhone: string;
  yourEmail: string;
  eitherHint: string;
  askSend: string;
  asked: string;
  company: string;
  role: string;
  emailHint: string;
  /**
   * Title of the open link's page for events where people register. `register`, `registerIntro` and `registerSend`
   * replace `ask`, `askIntro` and `askSend`.
   */
  register: string;
  registerIntro: string;
  registerSend: string;
  /** Notice for a person whose registration was accepted automatically. */
  registered: string;
}

const hebrew: GuestPageWords = {
  name: 'עברית',
  sampleName: 'משפחת ישראלי',
  hello: (name) => `שלום ${name},`,
  invitedTo: 'שמחים להזמין אתכם',
  when: 'מתי',
  where: 'איפה',
  map: 'מפה',
  waze: 'Waze',
  calendar: 'הוספה ליומן',
  googleCalendar: 'יומן Google',
  online: 'הצטרפות אונליין',
  questions: 'לשאלות',
  agenda: 'לוח הזמנים',
  backToEvent: 'חזרה לעמוד האירוע',
  privacy: 'פרטיות',
  accessibility: 'נגישות',
  question: 'מגיעים?',
  yes: 'כן, בשמחה',
  no: 'הפעם לא נוכל',
  maybe: 'עוד לא יודעים',
  howMany: 'כמה תהיו?',
  children: 'מתוכם ילדים',
  partyOf: invitationForWords.he,
  whoComes: 'מי מגיע?',
  namesHint: 'אפשר להשאיר שמות ריקים ולהשלים אחר כך.',
  othersCome: 'בא איתכם עוד מישהו?',
  othersHint: 'כדאי לעדכן גם את מספר האנשים למעלה.',
  yourself: 'אתם',
  person: (number) => `אדם ${number}`,
  isComing: 'מגיע/ה',
  isChild: 'ילד/ה',
  food: 'אוכל',
  chooseOne: 'בחירה',
  foodHint: 'אם צריך, כמה מנות מכל סוג:',
  whichMeal: 'איזו מנה?',
  usualMeal: 'רגילה',
  allergies: 'אלרגיות ורגישויות',
  allergiesHint: 'למשל: אגוזים, גלוטן',
  message: 'כמה מילים למארחים',
  messageHint: 'ברכה, בקשה, או סתם חיבוק',
  send: 'שליחת התשובה',
  update: 'עדכון התשובה',
  until: (date) => `אפשר לענות ולשנות עד ${date}.`,
  saved: 'התשובה נשמרה, תודה!',
  wrongTitle: (title) => `יש מה לתקן: ${title}`,
  cancelledTitle: (title) => `בוטל: ${title}`,
  comingNow: (people) => `${comingWords.he(people)} נתראה!`,
  cameThen: comingWords.he,
  declinedNow: 'רשמנו שלא תוכלו להגיע. תחסרו לנו!',
  maybeNow: 'רשמנו שעוד לא ידוע לכם. כשתדעו, נשמח לתשובה כאן.',
  waitingNow: (people) =>
    people === 1
      ? 'כרגע אין מקום פנוי. אתם ברשימת ההמתנה, וכשיתפנה מקום הוא יישמר לכם.'
      : `כרגע אין ${people === 2 ? 'שני' : people} מקומות פנויים. אתם ברשימת ההמתנה, וכשיתפנו מקומות הם יישמרו לכם.`,
  askedFor: (people) => `ביקשתם ${people === 2 ? 'שני' : people} מקומות.`,
  upTo: (people) => `כרגע אפשר להגיע עד ${peopleWords.he(people)}. המקומות שרשומים לכם שמורים.`,
  orUpTo: (people) => `יש כרגע מקום לעד ${peopleWords.he(people)}, ואפשר לעדכן את התשובה.`,
  notYet: 'העמוד עוד לא פורסם',
  closed: {
    draft: 'אפשר יהיה לענות כאן כשהמארחים יפרסמו אותו.',
    cancelled: 'האירוע בוטל.',
    over: 'האירוע כבר התחיל או הסתיים, ואי אפשר לשנות את התשובה.',
    late: 'המועד לתשובות עבר. לשינויים פנו ישירות למארחים.',
  },
  problems: {
    names: 'יש לבדוק את השמות ואת המנות.',
    status: 'בחרו אם אתם מגיעים או לא.',
    coming: 'מספר המגיעים צריך להיות בין 1 ל־100.',
    children: 'מספר הילדים לא יכול להיות גדול ממספר המגיעים.',
    answers: 'אחת התשובות לשאלות ארוכה או גדולה מדי.',
    meals: 'מספר המנות צריך להיות מספר, ולא גדול ממספר המגיעים.',
    meal: 'יש לבחור אחת מהמנות שברשימה.',
    text: 'אחד הטקסטים ארוך מדי או כולל תווים שאי אפשר לשמור.',
    notForm: 'מה שנשלח אינו הטופס של העמוד הזה. פתחו את העמוד מהקישור ושלחו משם.',
    tooLarge: 'זה יותר ממה שאפשר לשלוח כאן (64 KiB). אפשר לקצר ולשלוח שוב.',
    broken: 'משהו השתבש אצלנו. נסו שוב בעוד רגע.',
    contact: 'כתבו מספר טלפון תקין או כתובת מייל תקינה, כדי שהמארחים יוכלו לחזור אליכם.',
    phone: 'כתבו מספר טלפון תקין, או השאירו את השדה ריק אם כתבתם מייל.',
    fewer: 'אפשר להירשם כאן למספר קטן יותר של אנשים.',
    email: 'כתבו כתובת מייל תקינה, כדי שנוכל לשלוח אליכם אישור.',
    name: 'כתבו את שמכם.',
    nameLong: 'השם ארוך מדי. אפשר לקצר אותו?',
  },
  tooOften: (minutes) =>
    `נשלחו יותר מדי בקשות. נסו שוב ${minutes === 0 ? 'בעוד רגע' : minutes === 1 ? 'בעוד כדקה' : minutes === 2 ? 'בעוד כשתי דקות' : `בעוד כ־${minutes} דקות`}.`,
  notFound: 'הקישור הזה אינו פעיל',
  notFoundHint: 'ייתכן שהוחלף בקישור חדש. פנו למארחים ובקשו אותו שוב.',
  unsubscribe: 'הסרה מרשימת הדיוור',
  unsubscribeQuestion: 'לא לשלוח אליכם עוד הודעות על האירוע הזה, במייל, ב־SMS או בוואטסאפ?',
  unsubscribed:
    'לא נשלח אליכם עוד הודעות על האירוע הזה: לא במייל, לא ב־SMS ולא בוואטסאפ. הקישור האישי ממשיך לפעול.',
  subscribeAgain: 'בעצם כן, לשלוח',
  ask: 'מבקשים להגיע',
  askIntro: 'השאירו פרטים, והמארחים יאשרו.',
  yourName: 'שם',
  yourPhone: 'טלפון',
  yourEmail: 'מייל',
  eitherHint: 'טלפון או מייל, אחד מהם מספיק.',
  askSend: 'שליחת הבקשה',
  asked: 'הבקשה נשלחה למארחים. הם יחזרו אליכם.',
  company: 'חברה או ארגון',
  role: 'תפקיד',
  emailHint: 'האישור והקישור האישי יישלחו לכתובת הזאת.',
  register: 'הרשמה',
  registerIntro: 'השאירו פרטים כדי להירשם.',
  registerSend: 'להרשמה',
  registered: 'ההרשמה התקבלה, תודה! אישור עם קישור אישי יישלח אליכם במייל.',
};

const arabic: GuestPageWords = {
  name: 'العربية',
  sampleName: 'عائلة حدّاد',
  hello: (name) => `مرحبًا ${name}،`,
  invitedTo: 'يسعدنا أن ندعوكم إلى',
  when: 'متى',
  where: 'أين',
  map: 'الخريطة',
  waze: 'Waze',
  calendar: 'إضافة إلى التقويم',
  googleCalendar: 'تقويم Google',
  online: 'الانضمام عبر الإنترنت',
  questions: 'للاستفسار',
  agenda: 'جدول الأعمال',
  backToEvent: 'العودة إلى صفحة المناسبة',
  privacy: 'الخصوصية',
  accessibility: 'إتاحة الوصول',
  question: 'هل ستحضرون؟',
  yes: 'نعم، بكل سرور',
  no: 'نعتذر عن الحضور',
  maybe: 'لا نعرف بعد',
  howMany: 'كم عددكم؟',
  children: 'منهم أطفال',
  partyOf: invitationForWords.ar,
  whoComes: 'من سيحضر؟',
  namesHint: 'يمكن ترك أسماء فارغة وإكمالها لاحقًا.',
  othersCome: 'هل يأتي معكم أحد آخر؟',
  othersHint: 'حدّثوا أيضًا عدد الأشخاص أعلاه.',
  yourself: 'أنتم',
  person: (number) => `الشخص ${number}`,
  isComing: 'سيحضر',
  isChild: 'طفل',
  food: 'الطعام',
  chooseOne: 'اختيار',
  foodHint: 'عند الحاجة، كم وجبة من كل نوع:',
  whichMeal: 'أي وجبة؟',
  usualMeal: 'عادية',
  allergies: 'حساسية من أطعمة',
  allergiesHint: 'مثلًا: مكسرات، غلوتين',
  message: 'كلمة لأصحاب الدعوة',
  messageHint: 'تهنئة أو طلب',
  send: 'إرسال الرد',
  update: 'تحديث الرد',
  until: (date) => `يمكن الرد وتغيير الرد حتى ${date}.`,
  saved: 'تم حفظ الرد، شكرًا لكم!',
  wrongTitle: (title) => `هناك ما يجب تصحيحه: ${title}`,
  cancelledTitle: (title) => `أُلغيت: ${title}`,
  comingNow: (people) => `${comingWords.ar(people)} نراكم هناك!`,
  cameThen: comingWords.ar,
  declinedNow: 'سجّلنا أنكم لن تتمكنوا من الحضور. سنفتقدكم!',
  maybeNow: 'سجّلنا أنكم لا تعرفون بعد. يسعدنا أن تردوا هنا عندما تعرفون.',
  waitingNow: () => 'لا توجد أماكن كافية حاليًا. أنتم في قائمة الانتظار، وعندما تتوفر الأماكن ستُحفظ لكم.',
  askedFor: (people) => `طلبتم أماكن ${people > 2 ? 'لـ' : 'ل'}${peopleWords.ar(people)}.`,
  upTo: (people) => `يمكنكم الحضور حاليًا بعدد يصل إلى ${peopleWords.ar(people)}. الأماكن المسجّلة لكم محفوظة.`,
  orUpTo: (people) => `يوجد حاليًا مكان لعدد يصل إلى ${peopleWords.ar(people)}، ويمكن تحديث الرد.`,
  notYet: 'لم تُنشر هذه الصفحة بعد',
  closed: {
    draft: 'يمكنكم الرد هنا عندما ينشرها المضيفون.',
    cancelled: 'أُلغيت المناسبة.',
    over: 'بدأت المناسبة أو انتهت، ولم يعد بالإمكان تغيير الرد.',
    late: 'انتهى موعد الرد. للتغيير يُرجى التواصل مع أصحاب الدعوة مباشرة.',
  },
  problems: {
    names: 'يرجى التحقق من الأسماء والوجبات.',
    status: 'اختاروا إن كنتم ستحضرون أم لا.',
    coming: 'عدد الحاضرين يجب أن يكون بين 1 و100.',
    children: 'عدد الأطفال لا يمكن أن يزيد عن عدد الحاضرين.',
    answers: 'إحدى الإجابات طويلة أو كبيرة جدًا.',
    meals: 'عدد الوجبات يجب أن يكون رقمًا لا يزيد عن عدد الحاضرين.',
    meal: 'اختاروا إحدى الوجبات في القائمة.',
    text: 'أحد النصوص طويل جدًا أو يحتوي على رموز لا يمكن حفظها.',
    notForm: 'ما أُرسل ليس نموذج هذه الصفحة. افتحوا الصفحة من الرابط وأرسلوا منها.',
    tooLarge: 'هذا أكثر مما يمكن إرساله هنا (64 KiB). يمكن الاختصار والإرسال مرة أخرى.',
    broken: 'حدث خطأ لدينا. حاولوا مرة أخرى بعد لحظات.',
    contact: 'اكتبوا رقم هاتف صحيحًا أو بريدًا إلكترونيًا صحيحًا، ليتمكن أصحاب الدعوة من الرد عليكم.',
    phone: 'اكتبوا رقم هاتف صحيحًا، أو اتركوا الخانة فارغة إن كتبتم بريدًا إلكترونيًا.',
    fewer: 'يمكن التسجيل هنا لعدد أقل من الأشخاص.',
    email: 'اكتبوا بريدًا إلكترونيًا صحيحًا، لنتمكن من إرسال التأكيد إليكم.',
    name: 'اكتبوا اسمكم.',
    nameLong: 'الاسم طويل جدًا. هل يمكن اختصاره؟',
  },
  tooOften: (minutes) =>
    `أُرسلت طلبات كثيرة. حاولوا مرة أخرى بعد ${minutes === 0 ? 'لحظات' : minutes === 1 ? 'نحو دقيقة' : minutes === 2 ? 'نحو دقيقتين' : `نحو ${minutes} ${minutes <= 10 ? 'دقائق' : 'دقيقة'}`}.`,
  notFound: 'هذا الرابط غير فعّال',
  notFoundHint: 'ربما استُبدل برابط جديد. اطلبوه مجددًا من أصحاب الدعوة.',
  unsubscribe: 'إلغاء الاشتراك في الرسائل',
  unsubscribeQuestion:
    'هل نتوقف عن إرسال رسائل إليكم بشأن هذه المناسبة، بالبريد الإلكتروني أو SMS أو واتساب؟',
  unsubscribed:
    'لن نرسل إليكم رسائل أخرى بشأن هذه المناسبة، لا بالبريد الإلكتروني ولا عبر SMS أو واتساب. رابطكم الشخصي ما زال فعّالًا.',
  subscribeAgain: 'أعيدوا إرسال الرسائل',
  ask: 'طلب الحضور',
  askIntro: 'اتركوا بياناتكم، وسيوافق أصحاب الدعوة.',
  yourName: 'الاسم',
  yourPhone: 'الهاتف',
  yourEmail: 'البريد الإلكتروني',
  eitherHint: 'يكفي الهاتف أو البريد الإلكتروني.',
  askSend: 'إرسال الطلب',
  asked: 'أُرسل الطلب إلى أصحاب الدعوة، وسيعودون إليكم.',
  company: 'الشركة أو المؤسسة',
  role: 'الوظيفة',
  emailHint: 'سيُرسل التأكيد والرابط الشخصي إلى هذا العنوان.',
  register: 'التسجيل',
  registerIntro: 'اتركوا بياناتكم للتسجيل.',
  registerSend: 'تسجيل',
  registered: 'استلمنا تسجيلكم، شكرًا لكم! سنرسل إليكم بالبريد الإلكتروني تأكيدًا مع رابط شخصي.',
};

const english: GuestPageWords = {
  name: 'English',
  sampleName: 'The Israeli family',
  hello: (name) => `${englishSalutation(name)},`,
  invitedTo: 'You are warmly invited to',
  when: 'When',
  where: 'Where',
  map: 'Map',
  waze: 'Waze',
  calendar: 'Add to calendar',
  googleCalendar: 'Google Calendar',
  online: 'Join online',
  questions: 'Questions',
  agenda: 'Agenda',
  backToEvent: 'Back to the event',
  privacy: 'Privacy',
  accessibility: 'Accessibility',
  question: 'Will you come?',
  yes: 'Yes, gladly',
  no: 'Sorry, can’t make it',
  maybe: 'We don’t know yet',
  howMany: 'How many of you?',
  children: 'Of these, children',
  partyOf: invitationForWords.en,
  whoComes: 'Who is coming?',
  namesHint: 'Names can be left empty and added later.',
  othersCome: 'Is anybody else coming with you?',
  othersHint: 'Please update the number of people above, too.',
  yourself: 'You',
  person: (number) => `Person ${number}`,
  isComing: 'Coming',
  isChild: 'Child',
  food: 'Food',
  chooseOne: 'Choose',
  foodHint: 'If needed, how many meals of each kind:',
  whichMeal: 'Which meal?',
  usualMeal: 'Regular',
  allergies: 'Allergies',
  allergiesHint: 'For example: nuts, gluten',
  message: 'A word to the hosts',
  messageHint: 'A wish, a request, or just a hug',
  send: 'Send answer',
  update: 'Change answer',
  until: (date) => `You can answer or change your answer until ${date}.`,
  saved: 'Your answer is saved. Thank you!',
  wrongTitle: (title) => `Please correct: ${title}`,
  cancelledTitle: (title) => `Cancelled: ${title}`,
  comingNow: (people) => `${comingWords.en(people)} See you there!`,
  cameThen: comingWords.en,
  declinedNow: 'We have noted that you can’t come. You’ll be missed!',
  maybeNow: 'We have noted that you don’t know yet. Please answer here when you do.',
  waitingNow: (people) =>
    people === 1
      ? 'There is no place left right now. You are on the waiting list, and once a place is free, it is yours.'
      : `There are not enough places for ${people} right now. You are on the waiting list, and once they are free, they are yours.`,
  askedFor: (people) => `You asked for ${people} places.`,
  upTo: (people) =>
    `Up to ${peopleWords.en(people)} can come right now. The places you have are still yours.`,
  orUpTo: (people) =>
    `There is room for up to ${peopleWords.en(people)} now, and you can change your answer.`,
  notYet: 'This page is not published yet',
  closed: {
    draft: 'You will be able to answer here once the hosts publish it.',
    cancelled: 'The event has been cancelled.',
    over: 'The event has begun or is over, so your answer can no longer be changed.',
    late: 'The deadline for answers has passed. Please contact the hosts.',
  },
  problems: {
    names: 'Please check the names and meals.',
    status: 'Please choose whether you will come.',
    coming: 'The number of people must be from 1 to 100.',
    children: 'There can’t be more children than people.',
    answers: 'One of the answers is too long or too large.',
    meals: 'The number of meals must be a number, and not more than the number of people.',
    meal: 'Please choose one of the meals in the list.',
    text: 'One of the texts is too long or has characters that can’t be saved.',
    notForm: 'This is not the form of this page. Please open the page from its link and send the form again.',
    tooLarge: 'That is more than can be sent here (64 KiB). Please shorten it and send it again.',
    broken: 'Something went wrong on our side. Please try again in a moment.',
    contact: 'Please give a valid phone number or email address, so that the hosts can reach you.',
    phone: 'Please give a valid phone number, or leave it empty if you give an email address.',
    fewer: 'Please enter a smaller number of people.',
    email: 'Please give a valid email address, so that we can send you a confirmation.',
    name: 'Please give your name.',
    nameLong: 'This name is too long. Could you shorten it?',
  },
  tooOften: (minutes) =>
    `Too many requests. Please try again in ${minutes === 0 ? 'a moment' : minutes === 1 ? 'about a minute' : `about ${minutes} minutes`}.`,
  notFound: 'This link doesn’t work',
  notFoundHint: 'It may have been replaced by a new one. Please ask the hosts for it.',
  unsubscribe: 'Unsubscribe',
  unsubscribeQuestion: 'Stop all messages about this event, by email, SMS and WhatsApp?',
  unsubscribed:
    'We won’t send you any more messages about this event, by email, SMS or WhatsApp. Your personal link still works.',
  subscribeAgain: 'Subscribe again',
  ask: 'Ask to come',
  askIntro: 'Leave your details, and the hosts will confirm.',
  yourName: 'Name',
  yourPhone: 'Phone',
  yourEmail: 'Email',
  eitherHint: 'A phone number or an email address is enough.',
  askSend: 'Send request',
  asked: 'Your request has been sent to the hosts. They will be in touch.',
  company: 'Company or organization',
  role: 'Role',
  emailHint: 'The confirmation and your personal link will be sent to this address.',
  register: 'Registration',
  registerIntro: 'Leave your details to register.',
  registerSend: 'Register',
  registered: 'Thank you for registering! We will email you a confirmation with your personal link.',
};

export const guestPageWords: Readonly<Record<LanguageName, GuestPageWords>> = { hebrew, arabic, english };

/** Texts that differ where people register, as for a conference: they mostly come alone, and not to a family event. */
interface RegistrationWords
  extends Pick<
    GuestPageWords,
    | 'yes'
    | 'no'
    | 'maybe'
    | 'partyOf'
    | 'message'
    | 'messageHint'
    | 'comingNow'
    | 'declinedNow'
    | 'maybeNow'
    | 'invitedTo'
    | 'asked'
  > {
  /** Text for people who have registered; it replaces the text `invitedTo`. */
  registeredFor: string;
  closed: Pick<GuestPageWords['closed'], 'draft' | 'late'>;
  problems: Pick<GuestPageWords['problems'], 'contact'>;
}

const registration: Readonly<Record<LanguageName, RegistrationWords>> = {
  hebrew: {
    invitedTo: 'הרשמה לאירוע',
    registeredFor: 'נרשמתם לאירוע',
    yes: 'אגיע',
    no: 'לא אוכל להגיע',
    maybe: 'עוד לא ידוע',
    partyOf: (people) =>
      people === 1 ? 'ההרשמה לאדם אחד' : people === 2 ? 'ההרשמה לשניים' : `ההרשמה ל־${people} אנשים`,
    message: 'הודעה למארגנים',
    messageHint: 'משהו שכדאי שנדע?',
    comingNow: (people) => (people === 1 ? 'רשמנו שאתם מגיעים. נתראה!' : hebrew.comingNow(people)),
    declinedNow: 'רשמנו שלא תוכלו להגיע.',
    maybeNow: 'רשמנו שעוד לא ידוע אם תגיעו. כשיהיה ידוע, נשמח לתשובה כאן.',
    asked: 'ההרשמה נשלחה למארגנים. הם יחזרו אליכם.',
    closed: {
      draft: 'אפשר יהיה להירשם כאן כשהמארגנים יפרסמו אותו.',
      late: 'המועד להרשמה עבר. לשינויים פנו ישירות למארגנים.',
    },
    problems: { contact: 'כתבו מספר טלפון תקין או כתובת מייל תקינה, כדי שהמארגנים יוכלו לחזור אליכם.' },
  },
  arabic: {
    invitedTo: 'التسجيل في',
    registeredFor: 'تم تسجيلكم في',
    yes: 'سأحضر',
    no: 'لن أتمكن من الحضور',
    maybe: 'لم يتقرر بعد',
    partyOf: (people) =>
      people > 2 ? `التسجيل لـ${peopleWords.ar(people)}` : `التسجيل ل${peopleWords.ar(people)}`,
    message: 'رسالة إلى المنظمين',
    messageHint: 'هل هناك ما يجب أن نعرفه؟',
    comingNow: (people) => (people === 1 ? 'سجّلنا حضوركم. نراكم هناك!' : arabic.comingNow(people)),
    declinedNow: 'سجّلنا أنكم لن تتمكنوا من الحضور.',
    maybeNow: 'سجّلنا أن الحضور لم يتقرر بعد. يسعدنا أن تردوا هنا عندما يتقرر.',
    asked: 'أُرسل التسجيل إلى المنظمين، وسيعودون إليكم.',
    closed: {
      draft: 'يمكنكم التسجيل هنا عندما ينشرها المنظمون.',
      late: 'انتهى موعد التسجيل. للتغيير يُرجى التواصل مع المنظمين مباشرة.',
    },
    problems: { contact: 'اكتبوا رقم هاتف صحيحًا أو بريدًا إلكترونيًا صحيحًا، ليتمكن المنظمون من الرد عليكم.' },
  },
  english: {
    invitedTo: 'Registration for',
    registeredFor: 'You are registered for',
    yes: 'I’ll be there',
    no: 'I can’t come',
    maybe: 'Not sure yet',
    partyOf: (people) => `The registration is for ${peopleWords.en(people)}`,
    message: 'Message to the organizers',
    messageHint: 'Anything we should know?',
    comingNow: (people) =>
      people === 1 ? 'We have you down as coming. See you there!' : english.comingNow(people),
    declinedNow: 'We have noted that you can’t come.',
    maybeNow: 'We have noted that you are not sure yet. Please answer here when you are.',
    asked: 'Your registration has been sent to the organizers. They will be in touch.',
    closed: {
      draft: 'You will be able to register here once the organizers publish it.',
      late: 'Registration is closed. Please contact the organizers.',
    },
    problems: {
      contact: 'Please give a valid phone number or email address, so that the organizers can reach you.',
    },
  },
};

/** Texts for invited guests or, where people register, for participants. `comes` is true if they have said yes. */
export function guestPageWordsFor(
  event: { registration: boolean },
  language: LanguageName,
  comes = false,
): GuestPageWords {
  if (!event.registration) return guestPageWords[language];
  const usual = guestPageWords[language];
  const { registeredFor, closed, problems, ...others } = registration[language];
  return {
    ...usual,
    ...others,
    ...(comes && { invitedTo: registeredFor }),
    closed: { ...usual.closed, ...closed },
    problems: { ...usual.problems, ...problems },
  };
}

/** Messages of the API for guests' answers. */
export const messages = {
  noSuchLink: { he: 'הקישור אינו פעיל.', ar: 'هذا الرابط غير فعّال.', en: 'This link doesn’t work.' },
  closed: {
    draft: {
      he: `${hebrew.notYet}. ${hebrew.closed.draft}`,
      ar: `${arabic.notYet}. ${arabic.closed.draft}`,
      en: `${english.notYet}. ${english.closed.draft}`,
    },
    cancelled: {
      he: 'האירוע בוטל, ואי אפשר לענות.',
      ar: 'أُلغيت المناسبة ولا يمكن الرد.',
      en: 'The event has been cancelled, so it accepts no answers.',
    },
    over: { he: hebrew.closed.over, ar: arabic.closed.over, en: english.closed.over },
    late: { he: 'המועד לתשובות עבר.', ar: 'انتهى موعد الرد.', en: 'The deadline for answers has passed.' },
  },
  slugTaken: {
    he: 'הכתובת הזאת כבר תפוסה; יש לבחור אחרת.',
    ar: 'هذا العنوان محجوز؛ اختر غيره.',
    en: 'This address is already taken; choose another one.',
  },
  slugForm: {
    he: 'אותיות לטיניות קטנות, ספרות ומקפים, 3 עד 60 תווים.',
    ar: 'أحرف لاتينية صغيرة وأرقام وشرطات، من 3 إلى 60 رمزًا.',
    en: 'must be 3 to 60 lower-case Latin letters, digits and hyphens.',
  },
  notAsked: {
    he: 'באירוע הזה לא שואלים על כך; יש להשמיט את השדה.',
    ar: 'لا يُسأل عن ذلك في هذه المناسبة؛ يُرجى حذف الحقل.',
    en: 'is not asked for by this event; leave it out.',
  },
  wholePeople: {
    he: 'מספר האנשים צריך להיות מספר שלם, מ־1 ומעלה.',
    ar: 'عدد الأشخاص يجب أن يكون عددًا صحيحًا، من 1 فأكثر.',
    en: 'The number of people must be a whole number, 1 or more.',
  },
  moreMeals: (meals: number, people: number) => ({
    he: `מספר המנות לא יכול להיות גדול ממספר המגיעים. מנות: ${meals}, מגיעים: ${people}.`,
    ar: `عدد الوجبات لا يمكن أن يزيد عن عدد الحاضرين. الوجبات: ${meals}، الحاضرون: ${people}.`,
    en: `There can’t be more meals than people. Meals: ${meals}, people: ${people}.`,
  }),
  moreChildrensMeals: (meals: number, children: number) => ({
    he: `מספר מנות הילדים לא יכול להיות גדול ממספר הילדים. מנות ילדים: ${meals}, ילדים: ${children}.`,
    ar: `عدد وجبات الأطفال لا يمكن أن يزيد عن عدد الأطفال. وجبات الأطفال: ${meals}، الأطفال: ${children}.`,
    en: `There can’t be more children’s meals than children. Children’s meals: ${meals}, children: ${children}.`,
  }),
  /** Warnings about the event's deadline for answers, with the deadline as text. */
  deadlineWarnings: {
    answers_closed: {
      he: (until: string) =>
        `היום האחרון לתשובות כבר עבר (${until}), אף שהאירוע נדחה. אורחים לא יוכלו לענות או לעדכן תשובה עד שתקבעו יום אחר.`,
      ar: (until: string) =>
        `انقضى آخر موعد للردود (${until}) مع أن المناسبة أُجّلت. لا يستطيع الضيوف الرد أو تحديث ردهم حتى تحدّدوا موعدًا آخر.`,
      en: (until: string) =>
        `The last day for answers has passed (${until}), although the event was moved to a later date. Guests can’t answer or update their answer until you set another day.`,
    },
    answers_after_event: {
      he: (until: string) => `היום האחרון לתשובות (${until}) הוא אחרי האירוע. כדאי לקבוע יום מוקדם יותר.`,
      ar: (until: string) => `آخر موعد للردود (${until}) يأتي بعد المناسبة. من الأفضل تحديد موعد أبكر.`,
      en: (until: string) => `The last day for answers (${until}) is after the event. Set an earlier day.`,
    },
  },
  tooLate: {
    he: 'צריך להיות לפני האירוע.',
    ar: 'يجب أن يكون قبل المناسبة.',
    en: 'must be before the event.',
  },
  tooManyRequests: {
    he: 'יש כבר יותר מדי בקשות שממתינות לתשובת המארחים.',
    ar: 'هناك طلبات كثيرة تنتظر رد أصحاب الدعوة.',
    en: 'Too many requests are already waiting for the hosts.',
  },
  noMailNow: {
    he: 'כרגע אי אפשר לשלוח אליכם מייל, ולכן הבקשה לא נקלטה. נסו שוב בעוד שעה.',
    ar: 'لا يمكن إرسال رسالة إليكم الآن، لذلك لم يُسجَّل طلبكم. حاولوا مجددًا بعد ساعة.',
    en: 'No mail can be sent to you right now, so your request was not saved. Try again in an hour.',
  },
  requestIdsForm: {
    he: 'נדרשת רשימה של מזהי בקשות (UUID), מ־1 עד 10,000.',
    ar: 'يلزم قائمة بمعرّفات الطلبات (UUID)، من 1 إلى 10,000.',
    en: 'must be a list of 1 to 10,000 request ids (UUIDs).',
  },
  whichRequests: {
    he: 'יש לבחור בקשות: request_ids, filter או שניהם.',
    ar: 'يجب تحديد الطلبات المقصودة: request_ids أو filter أو كلاهما.',
    en: 'Select requests with request_ids, filter or both.',
  },
  noSuchRequest: { he: 'הבקשה לא נמצאה.', ar: 'لم نجد هذا الطلب.', en: 'There is no such request.' },
  requestDecided: {
    he: 'הבקשה הזאת כבר נענתה.',
    ar: 'تم الرد على هذا الطلب من قبل.',
    en: 'This request has already been decided.',
  },
} as const;

/** Reasons for sending a guest their personal link: to invite them, or to report on their current answer. */

export type LinkOccasion = 'invited' | 'registers' | 'coming' | 'waiting' | 'maybe' | 'declined';

interface LinkWords {
  hello(name: string): string;
  comma: string;
  /** Texts of the message with a guest's link: the part before the event's title, and the part before the link. */
  says: Readonly<Record<LinkOccasion, readonly [about: string, toTheLink: string]>>;
}

const linkWords: Readonly<Record<LanguageName, LinkWords>> = {
  hebrew: {
    hello: (name) => `שלום ${name}!`,
    comma: ', ',
    says: {
      invited: ['שמחים להזמין אתכם', 'נשמח לתשובה כאן'],
      registers: ['מזמינים אתכם להירשם', 'ההרשמה כאן'],
      coming: ['נשמח לראות אתכם', 'לפרטים ולעדכון התשובה, אם היא תשתנה'],
      waiting: ['אתם ברשימת ההמתנה', 'לפרטים ולעדכון התשובה'],
      maybe: ['רשמנו שעוד לא ידוע אם תגיעו', 'כשתדעו, נשמח לתשובה כאן'],
      declined: ['רשמנו שלא תוכלו להגיע', 'אם זה השתנה, אפשר לעדכן כאן'],
    },
  },
  arabic: {
    hello: (name) => `مرحبًا ${name}!`,
    comma: '، ',
    says: {
      invited: ['يسعدنا دعوتكم', 'نرجو الرد هنا'],
      registers: ['ندعوكم إلى التسجيل', 'التسجيل هنا'],
      coming: ['يسعدنا أن نراكم', 'للتفاصيل وتحديث الرد إذا تغيّر'],
      waiting: ['أنتم في قائمة الانتظار', 'للتفاصيل وتحديث الرد'],
      maybe: ['سجّلنا أنكم لا تعرفون بعد إن كنتم ستحضرون', 'نرجو الرد هنا عندما تعرفون'],
      declined: ['سجّلنا أنكم لن تتمكنوا من الحضور', 'إذا تغيّر ذلك، فيمكنكم تحديث ردكم هنا'],
    },
  },
  english: {
    hello: (name) => `${englishSalutation(name)},`,
    comma: ', ',
    says: {
      invited: ['you are invited', 'Please answer here'],
      registers: ['you are invited to register', 'Please register here'],
      coming: ['we look forward to seeing you', 'Details, and your answer if it changes'],
      waiting: ['you are on the waiting list', 'Details and your answer'],
      maybe: [
        'we have noted that you don’t know yet whether you can come',
        'Once you do, please answer here',
      ],
      declined: ['we have noted that you can’t come', 'If that has changed, please answer here'],
    },
  },
};

/** Message with a guest's personal link, ready to send by WhatsApp. */
export function linkMessage(
  language: LanguageName,
  occasion: LinkOccasion,
  { name, title, date, url }: { name: string; title: string; date: string; url: string },
): string {
  const { hello, comma, says } = linkWords[language];
  const [about, toTheLink] = says[occasion];
  return `${hello(name)} ${about}: ${title}${date && comma + date}. ${toTheLink}: ${url}`;
}
