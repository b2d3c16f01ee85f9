import type { Words } from '../../kernel/languages.ts';
import type { Grantor, Item } from './rules.ts';

/** What the checklist says; its advice in Hebrew. */
export const messages = {
  noSuchItem: {
    he: 'אין פריט כזה ברשימה של האירוע הזה.',
    ar: 'لا يوجد بند كهذا في قائمة المناسبة.',
    en: 'The event’s list has no such item.',
  },
  advice: 'הרשימה היא עצה ולא ייעוץ משפטי; הרשות במקום האירוע היא הקובעת.',

  grantors: {
    local_authority: 'הרשות המקומית (רישוי עסקים)',
    venue: 'המקום עצמו',
    police: 'משטרת ישראל',
    fire_service: 'כבאות והצלה',
    magen_david_adom: 'מגן דוד אדום',
    accessibility_expert: 'המקום או מורשה נגישות',
    insurer: 'חברת ביטוח',
    engineer: 'מהנדס קונסטרוקציה',
    electrician: 'חשמלאי בודק',
    kashrut_body: 'הרבנות או גוף כשרות',
  } satisfies Record<Grantor, string>,

  items: {
    venue_licence: {
      title: 'רישיון עסק של האולם',
      why: 'באירוע של 100 מוזמנים ומעלה כדאי לראות שרישיון העסק של האולם בתוקף ומתאים לגודל האירוע.',
    },
    temporary_event_licence: {
      title: 'רישיון לאירוע תחת כיפת השמים',
      why: 'אירוע בשטח פתוח ל־500 איש ומעלה טעון רישיון עסק לאירוע חד־פעמי.',
    },
    capacity: {
      title: 'תפוסת המקום',
      why: 'צפויים יותר אנשים ממה שהמקום מיועד לו; צריך מקום גדול יותר או אישור לתפוסה גדולה יותר.',
    },
    accessibility: {
      title: 'נגישות',
      why: 'אירוע של 100 מוזמנים ומעלה צריך חניה, דרך, ישיבה ושירותים נגישים.',
    },
    police: {
      title: 'תיאום עם המשטרה',
      why: 'אירוע רב־משתתפים בשטח פתוח מתואם עם המשטרה: סדר, תנועה ואבטחה.',
    },
    fire_safety: {
      title: 'בטיחות אש',
      why: 'קהל בשטח פתוח, מבנים ארעיים או אפקטים של אש מצריכים אישור של כבאות והצלה.',
    },
    insurance: {
      title: 'ביטוח צד שלישי',
      why: 'ככל שהאירוע גדול או מורכב יותר, כדאי ביטוח אחריות של המארגן, נוסף על זה של המקום.',
    },
    kashrut_certificate: {
      title: 'תעודת כשרות',
      why: 'האירוע מוגדר כשר; לקייטרינג ולמקום צריכה להיות תעודה ברמה הזאת ובתוקף ביום האירוע.',
    },
    alcohol: {
      title: 'משקאות משכרים',
      why: 'מוגש אלכוהול: מכירה טעונה רישיון, ואסור להגיש לקטינים.',
    },
    first_aid: {
      title: 'אבטחה רפואית',
      why: 'באירוע גדול או באירוע רב־משתתפים בשטח פתוח נהוג להזמין כונן או אמבולנס.',
    },
    noise: {
      title: 'רעש ומוזיקה מוגברת',
      why: 'מוזיקה מוגברת בשטח פתוח או אחרי 23:00 מפריעה לשכנים ומוגבלת בתקנות; כדאי לתאם מראש.',
    },
    structures: {
      title: 'אישור למבנים ארעיים',
      why: 'במה, אוהל או סככה צריכים אישור יציבות של מהנדס.',
    },
    electricity: {
      title: 'בדיקת חשמל',
      why: 'חיבור חשמל זמני, לבמה או להגברה, נבדק בידי חשמלאי בודק לפני האירוע.',
    },
  } satisfies Record<Item, { title: string; why: string }>,
} as const;

export const checklistLabels: Readonly<Record<string, Words>> = {
  outdoors: { he: 'אירוע בחוץ', ar: 'مناسبة في الهواء الطلق', en: 'Outdoors' },
  alcohol: { he: 'אלכוהול', ar: 'كحول', en: 'Alcohol' },
  amplified_music: { he: 'מוזיקה מוגברת', ar: 'موسيقى بمكبّرات', en: 'Amplified music' },
  temporary_structures: { he: 'מבנים ארעיים', ar: 'منشآت مؤقتة', en: 'Temporary structures' },
  fire_effects: { he: 'אפקטים של אש', ar: 'مؤثرات نارية', en: 'Fire effects' },
  state: { he: 'מצב הפריט', ar: 'حالة البند', en: 'State' },
  dismissed: { he: 'הוסר מהרשימה', ar: 'أُزيل من القائمة', en: 'Dismissed' },
};
