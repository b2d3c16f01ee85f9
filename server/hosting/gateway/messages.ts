import type { Language } from '../../kernel/languages.ts';

/** Problems that the gateway answers in place of a site. The names are the `code` of JSON answers. */
export type SiteProblem =
  | 'no_such_site'
  | 'no_such_page'
  | 'site_starting'
  | 'site_elsewhere'
  | 'site_stopped'
  | 'site_down'
  | 'site_broken'
  | 'site_late'
  | 'site_busy'
  | 'bad_request'
  | 'method_not_allowed'
  | 'upload_late'
  | 'upload_too_large'
  | 'site_maintenance'
  | 'password_needed'
  | 'too_many_passwords';

export interface PageText {
  title: string;
  text: string;
  /** Text that only the HTML error page shows, below `text`; answers in JSON and plain text leave it out. */
  onPage?: string;
}

export const pageTexts: Readonly<Record<Language, Readonly<Record<SiteProblem, PageText>>>> = {
  he: {
    no_such_site: {
      title: 'אין כאן אתר',
      text: 'ייתכן שהכתובת הוקלדה אחרת, או שהאתר עבר למקום אחר. כדאי לבדוק את הכתובת שקיבלתם.',
    },
    no_such_page: {
      title: 'הדף לא נמצא',
      text: 'האתר כאן, אבל הדף הזה לא. אפשר להתחיל מדף הבית.',
    },
    site_starting: {
      title: 'האתר כבר עולה',
      text: 'עוד רגע קט.',
      onPage: 'הדף יתרענן מעצמו כשהאתר יהיה מוכן.',
    },
    site_elsewhere: {
      title: 'האתר אינו זמין מכאן כרגע',
      text: 'השרת שבו הוא נמצא אינו זמין כרגע. אפשר לנסות שוב בעוד רגע.',
    },
    site_stopped: {
      title: 'האתר בהפסקה',
      text: 'מי שמנהל את האתר עצר אותו לזמן מה. אפשר לחזור מאוחר יותר.',
    },
    site_down: {
      title: 'האתר אינו עונה',
      text: 'התקלה באתר ולא אצלכם. אפשר לנסות שוב בעוד כמה דקות.',
    },
    site_broken: {
      title: 'האתר אינו עונה',
      text: 'התקלה באתר ולא אצלכם. אפשר לנסות שוב בעוד כמה דקות.',
    },
    site_late: {
      title: 'האתר לא ענה בזמן',
      text: 'חיכינו לתשובה והיא לא הגיעה. אפשר לנסות שוב בעוד רגע.',
    },
    site_busy: {
      title: 'האתר עמוס כרגע',
      text: 'הרבה אורחים הגיעו בבת אחת. אפשר לנסות שוב בעוד רגע.',
    },
    bad_request: {
      title: 'לא הצלחנו להבין את הבקשה',
      text: 'הכתובת או הכותרות שנשלחו אינן תקינות.',
    },
    method_not_allowed: {
      title: 'הפעולה אינה אפשרית כאן',
      text: 'מהאתר הזה אפשר רק לקרוא.',
    },
    upload_late: {
      title: 'ההעלאה נעצרה באמצע',
      text: 'הקובץ לא הגיע בשלמותו. כדאי לבדוק את החיבור ולנסות שוב.',
    },
    upload_too_large: {
      title: 'הקובץ גדול מדי',
      text: 'האתר מקבל בקשות קטנות יותר. אפשר לשלוח קובץ קטן יותר, או כמה קבצים בנפרד.',
    },
    site_maintenance: {
      title: 'האתר בתחזוקה',
      text: 'עובדים עליו עכשיו, והוא יחזור בקרוב.',
    },
    password_needed: {
      title: 'האתר מוגן בסיסמה',
      text: 'נדרשים השם והסיסמה שקיבלתם ממי שמנהל אותו.',
    },
    too_many_passwords: {
      title: 'יותר מדי סיסמאות שגויות',
      text: 'אפשר לנסות שוב בעוד דקה.',
    },
  },
  ar: {
    no_such_site: {
      title: 'لا يوجد موقع هنا',
      text: 'ربما كُتب العنوان بشكل مختلف، أو انتقل الموقع إلى مكان آخر. يُستحسن التحقق من العنوان الذي وصلكم.',
    },
    no_such_page: {
      title: 'الصفحة غير موجودة',
      text: 'الموقع هنا، لكن هذه الصفحة ليست فيه. يمكنكم البدء من الصفحة الرئيسية.',
    },
    site_starting: {
      title: 'الموقع في طريقه إليكم',
      text: 'لحظات قليلة فقط.',
      onPage: 'ستُحدَّث الصفحة تلقائيًا حين يصبح الموقع جاهزًا.',
    },
    site_elsewhere: {
      title: 'لا يمكن الوصول إلى الموقع من هنا الآن',
      text: 'الخادم الذي يعمل عليه غير متاح الآن. يمكنكم المحاولة مجددًا بعد لحظات.',
    },
    site_stopped: {
      title: 'الموقع متوقف مؤقتًا',
      text: 'أوقف صاحب الموقع عمله لبعض الوقت. يمكنكم العودة لاحقًا.',
    },
    site_down: {
      title: 'الموقع لا يستجيب',
      text: 'الخلل في الموقع وليس عندكم. يمكنكم المحاولة مجددًا بعد بضع دقائق.',
    },
    site_broken: {
      title: 'الموقع لا يستجيب',
      text: 'الخلل في الموقع وليس عندكم. يمكنكم المحاولة مجددًا بعد بضع دقائق.',
    },
    site_late: {
      title: 'تأخّر الموقع في الرد',
      text: 'انتظرنا الرد ولم يصل. يمكنكم المحاولة مجددًا بعد لحظات.',
    },
    site_busy: {
      title: 'الموقع مزدحم الآن',
      text: 'وصل ضيوف كثيرون دفعة واحدة. يمكنكم المحاولة مجددًا بعد لحظات.',
    },
    bad_request: {
      title: 'لم نتمكن من فهم الطلب',
      text: 'العنوان أو الترويسات المرسلة غير سليمة.',
    },
    method_not_allowed: {
      title: 'هذا الإجراء غير متاح هنا',
      text: 'هذا الموقع للقراءة فقط.',
    },
    upload_late: {
      title: 'توقف الرفع في منتصفه',
      text: 'لم يصل الملف كاملًا. يُستحسن التحقق من الاتصال ثم المحاولة مجددًا.',
    },
    upload_too_large: {
      title: 'الملف أكبر من اللازم',
      text: 'يقبل الموقع طلبات أصغر. يمكنكم إرسال ملف أصغر، أو عدة ملفات كلّ على حدة.',
    },
    site_maintenance: {
      title: 'الموقع قيد الصيانة',
      text: 'يجري العمل عليه الآن وسيعود قريبًا.',
    },
    password_needed: {
      title: 'الموقع محمي بكلمة مرور',
      text: 'يلزم الاسم وكلمة المرور اللذان وصلاكم من صاحبه.',
    },
    too_many_passwords: {
      title: 'كلمات مرور خاطئة كثيرة',
      text: 'يمكنكم المحاولة مجددًا بعد دقيقة.',
    },
  },
  en: {
    no_such_site: {
      title: 'There is no site here',
      text: 'The address may be spelled differently, or the site has moved. Please check the address you were given.',
    },
    no_such_page: {
      title: 'Page not found',
      text: 'The site is here, but this page is not. The home page is a good place to start.',
    },
    site_starting: {
      title: 'The site is on its way',
      text: 'Just a moment.',
      onPage: 'This page refreshes by itself once the site is ready.',
    },
    site_elsewhere: {
      title: 'The site can’t be reached from here right now',
      text: 'The server that runs it is out of reach. Please try again in a moment.',
    },
    site_stopped: {
      title: 'The site is taking a break',
      text: 'Its owner has stopped it for a while. Please come back later.',
    },
    site_down: {
      title: 'The site does not answer',
      text: 'The trouble is with the site, not with you. Please try again in a few minutes.',
    },
    site_broken: {
      title: 'The site does not answer',
      text: 'The trouble is with the site, not with you. Please try again in a few minutes.',
    },
    site_late: {
      title: 'The site took too long',
      text: 'We waited for an answer and none came. Please try again in a moment.',
    },
    site_busy: {
      title: 'The site is very busy',
      text: 'Many guests came at once. Please try again in a moment.',
    },
    bad_request: {
      title: 'We could not understand the request',
      text: 'The address or the headers that were sent are not valid.',
    },
    method_not_allowed: {
      title: 'That can’t be done here',
      text: 'This site can only be read.',
    },
    upload_late: {
      title: 'The upload stopped halfway',
      text: 'The file did not arrive in full. Please check your connection and try again.',
    },
    upload_too_large: {
      title: 'This is too large',
      text: 'The site accepts smaller requests. Send a smaller file, or several files one by one.',
    },
    site_maintenance: {
      title: 'The site is under maintenance',
      text: 'It is being worked on, and will be back soon.',
    },
    password_needed: {
      title: 'This site has a password',
      text: 'It takes the name and the password that its owner gave you.',
    },
    too_many_passwords: {
      title: 'Too many wrong passwords',
      text: 'Please try again in a minute.',
    },
  },
};

export const pageWords: Readonly<Record<Language, { tryAgain: string; home: string }>> = {
  he: { tryAgain: 'לנסות שוב', home: 'לדף הבית' },
  ar: { tryAgain: 'إعادة المحاولة', home: 'الصفحة الرئيسية' },
  en: { tryAgain: 'Try again', home: 'Home page' },
};
