import type { Catalogue } from '../../lib/words.ts';

export const words = {
  headline: {
    he: 'יש מה לחגוג.',
    ar: 'مناسبة تحتفلون بها.',
    en: 'Something to celebrate.',
  },
  headlineOfSites: {
    he: 'יש מה להעלות לאוויר.',
    ar: 'موقع تنشرونه.',
    en: 'Something to launch.',
  },
  lead: {
    he: 'מקום אחד לאירועים ולאתרים שלכם, בעברית, בערבית ובאנגלית, אצלכם על השרת.',
    ar: 'مكان واحد لمناسباتكم ومواقعكم، بالعبرية والعربية والإنجليزية، وعلى خادمكم أنتم.',
    en: 'One place for your events and your sites, in Hebrew, Arabic and English, on your own server.',
  },
  pictureAbout: {
    he: 'רשימת המוזמנים של חתונה: שמות, כמה הוזמנו, תשובות וכמה מגיעים.',
    ar: 'قائمة ضيوف زفاف: الأسماء وعدد المدعوين والردود وعدد الحاضرين.',
    en: 'Guest list of a wedding: names, party sizes, replies, and how many are coming.',
  },
  planTitle: { he: 'מתכננים אירוע', ar: 'خطّطوا مناسبة', en: 'Plan an event' },
  plan: {
    he: 'חתונה, בר מצווה או כנס, מקצה לקצה: מוזמנים ותשובות, ספקים ותקציב, אישורים, ואתר לאירוע.',
    ar: 'زفاف أو مناسبة أو مؤتمر من البداية إلى النهاية: الضيوف وردودهم، المورّدون والميزانية، التصاريح، وموقع للمناسبة.',
    en: 'A wedding, a bar mitzva or a conference from start to finish: guests and replies, vendors and budget, permits, and an event website.',
  },
  siteTitle: { he: 'מעלים אתר לאוויר', ar: 'انشروا موقعًا', en: 'Put a site online' },
  site: {
    he: 'ממאגר git או מתיקייה לאתר חי: הבנייה מזוהה לבד, כל דחיפה נפרסת, ותמיד אפשר לחזור לגרסה קודמת.',
    ar: 'من مستودع git أو مجلد إلى موقع حيّ: نتعرّف على طريقة البناء، ونشر مع كل دفعة، ورجوع إلى الإصدار السابق في أي وقت.',
    en: 'From a git repository or a folder to a live site: the build is recognised, every push deploys, and an earlier release is one click away.',
  },
  deploy: { he: 'מעלים אתר', ar: 'نبدأ النشر', en: 'Deploy a site' },
  signIn: { he: 'כניסה', ar: 'الدخول', en: 'Sign in' },
  start: { he: 'מתחילים לתכנן', ar: 'نبدأ التخطيط', en: 'Start planning' },
  reference: {
    he: 'למפתחים: תיעוד ה־API',
    ar: 'للمطوّرين: مرجع الـ API',
    en: 'For developers: API reference',
  },
  guestsTitle: { he: 'כל מוזמן, כל מנה', ar: 'كل ضيف وكل وجبة', en: 'Every guest, every meal' },
  guests: {
    he: 'מייבאים כל רשימה, שולחים קישורים אישיים, והתשובות מגיעות לבד. המקומות נספרים במדויק, וכשהם נגמרים יש רשימת המתנה.',
    ar: 'استوردوا أي قائمة، وأرسلوا روابط شخصية، والردود تصل تلقائيًا. تُحسب الأماكن بدقّة، وعندما تنفد هناك قائمة انتظار.',
    en: 'Import any list, send personal links, and replies arrive automatically. Places are counted exactly, and when they run out, there is a waiting list.',
  },
  moneyTitle: { he: 'ספקים ותקציב', ar: 'المورّدون والميزانية', en: 'Vendors and budget' },
  money: {
    he: 'מה תוכנן, מה הוזמן, מה שולם ומה הבא בתור, עד האגורה. כשתעודת כשרות לא מספיקה, מקבלים אזהרה.',
    ar: 'ما خُطّط وما حُجز وما دُفع وما يستحقّ لاحقًا، حتى آخر أغورة. وعندما لا تكفي شهادة الكشروت، ننبّه.',
    en: 'See what is planned, booked, paid and due next, to the agora. You are warned when a kashrut certificate is not enough.',
  },
  calendarTitle: {
    he: 'לוח שמכיר את החגים',
    ar: 'تقويم يعرف الأعياد',
    en: 'A calendar that knows the holidays',
  },
  calendar: {
    he: 'התאריך העברי לצד הלועזי, שבתות, חגים, צומות וימי זיכרון: מקבלים עצה, וההחלטה שלכם.',
    ar: 'التاريخ العبري بجانب الميلادي، والأعياد وأيام الصوم وأيام الذكرى لكل طائفة: نصيحة لكم، والقرار قراركم.',
    en: 'The Hebrew date beside the civil one, Shabbat, holidays, fasts and memorial days: you get advice, and you decide.',
  },
  buildTitle: { he: 'הבנייה מזוהה לבד', ar: 'التعرّف على طريقة البناء', en: 'The build is recognised' },
  build: {
    he: 'Next, Astro, Django, Rails, PHP או קבצים פשוטים: רואים מה יבוצע לפני שמשהו רץ, ומשנים כל שורה.',
    ar: 'Next أو Astro أو Django أو Rails أو PHP أو ملفات بسيطة: ترون ما سيُنفَّذ قبل أن يبدأ، وتغيّرون أي سطر.',
    en: 'Next, Astro, Django, Rails, PHP or plain files: see what will run before it runs, and change any line.',
  },
  switchTitle: { he: 'בלי רגע של תקלה', ar: 'دون انقطاع', en: 'No downtime' },
  switch: {
    he: 'גרסה חדשה מקבלת מבקרים רק אחרי שהיא עונה. אם היא לא עונה, הקודמת ממשיכה, ומוסבר למה.',
    ar: 'لا يصل الزوّار إلى إصدار جديد إلا بعد أن يستجيب. وإن لم يستجب يستمر السابق، مع شرح السبب.',
    en: 'A new version gets visitors once it answers. If it does not, the previous one stays, and you are told why.',
  },
  domainTitle: { he: 'דומיין, HTTPS ויומנים', ar: 'نطاق وHTTPS وسجلّات', en: 'Domains, HTTPS and logs' },
  domain: {
    he: 'הדומיין שלכם עם תעודה אוטומטית, יומן חי מהשורה הראשונה, ותצוגה מקדימה לכל ענף.',
    ar: 'نطاقكم مع شهادة تلقائية، وسجلّ مباشر من السطر الأول، ومعاينة لكل فرع.',
    en: 'Your own domain with a certificate, logs live from the first line, and a preview of every branch.',
  },
} as const satisfies Catalogue;
