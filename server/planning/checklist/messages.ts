import type { Words } from '../../kernel/languages.ts';
import type { Grantor, ItemName, LegalSource } from './rules.ts';

export const messages = {
  noSuchItem: {
    he: 'אין פריט כזה ברשימה של האירוע הזה.',
    ar: 'لا يوجد بند كهذا في قائمة المناسبة.',
    en: 'The event’s checklist has no such item.',
  },
  advice: {
    he: 'הרשימה היא עצה ולא ייעוץ משפטי; הרשות במקום האירוע היא הקובעת.',
    ar: 'القائمة نصيحة وليست استشارة قانونية؛ السلطة في مكان المناسبة هي التي تقرّر.',
    en: 'This list is advice, not legal counsel; the local authority at the venue decides.',
  },

  grantors: {
    local_authority: {
      he: 'הרשות המקומית (רישוי עסקים)',
      ar: 'السلطة المحلية (ترخيص المصالح)',
      en: 'The local authority (business licensing)',
    },
    venue: { he: 'המקום עצמו', ar: 'المكان نفسه', en: 'The venue itself' },
    police: { he: 'משטרת ישראל', ar: 'شرطة إسرائيل', en: 'The Israel Police' },
    fire_service: { he: 'כבאות והצלה', ar: 'الإطفاء والإنقاذ', en: 'The Fire and Rescue Authority' },
    magen_david_adom: { he: 'מגן דוד אדום', ar: 'نجمة داوود الحمراء', en: 'Magen David Adom' },
    accessibility_expert: {
      he: 'המקום או מורשה נגישות',
      ar: 'المكان أو مختصّ إتاحة مرخّص',
      en: 'The venue, or a licensed accessibility expert',
    },
    insurer: { he: 'חברת ביטוח', ar: 'شركة تأمين', en: 'An insurance company' },
    engineer: { he: 'מהנדס קונסטרוקציה', ar: 'مهندس إنشاءات', en: 'A structural engineer' },
    electrician: { he: 'חשמלאי בודק', ar: 'كهربائي فاحص', en: 'An inspecting electrician' },
    kashrut_body: {
      he: 'הרבנות או גוף כשרות',
      ar: 'الحاخامية أو جهة كشروت',
      en: 'The rabbinate or a kashrut body',
    },
  } satisfies Record<Grantor, Words>,

  sources: {
    business_licensing: {
      he: 'חוק רישוי עסקים, התשכ״ח–1968',
      ar: 'قانون ترخيص المصالح، 1968',
      en: 'Licensing of Businesses Law, 5728–1968',
    },
    licensed_businesses: {
      he: 'צו רישוי עסקים (עסקים טעוני רישוי), התשע״ג–2013, פריט 7.7ה',
      ar: 'أمر ترخيص المصالح (مصالح تتطلب ترخيصًا)، 2013، البند 7.7ה',
      en: 'Licensing of Businesses Order (Businesses Requiring a Licence), 5773–2013, item 7.7ה',
    },
    safety_in_public_places: {
      he: 'חוק בטיחות במקומות ציבוריים, התשכ״ג–1962',
      ar: 'قانون الأمان في الأماكن العامة، 1962',
      en: 'Safety in Public Places Law, 5723–1962',
    },
    accessible_service: {
      he: 'תקנות שוויון זכויות לאנשים עם מוגבלות (התאמות נגישות לשירות), התשע״ג–2013',
      ar: 'أنظمة مساواة حقوق الأشخاص ذوي الإعاقة (ملاءمات إتاحة الخدمة)، 2013',
      en: 'Equal Rights for Persons with Disabilities (Service Accessibility Adjustments) Regulations, 5773–2013',
    },
    fire_and_rescue: {
      he: 'חוק הרשות הארצית לכבאות והצלה, התשע״ב–2012',
      ar: 'قانون السلطة القطرية للإطفاء والإنقاذ، 2012',
      en: 'National Fire and Rescue Authority Law, 5772–2012',
    },
    kashrut_deceit: {
      he: 'חוק איסור הונאה בכשרות, התשמ״ג–1983',
      ar: 'قانون حظر الغش في الكشروت، 1983',
      en: 'Kashrut (Prohibition of Deceit) Law, 5743–1983',
    },
    penal_law_minors: {
      he: 'חוק העונשין, התשל״ז–1977, סעיף 193א (קטינים)',
      ar: 'قانون العقوبات، 1977، المادة 193א (القاصرون)',
      en: 'Penal Law, 5737–1977, section 193A (minors)',
    },
    noise_prevention: {
      he: 'תקנות למניעת מפגעים (מניעת רעש), התשנ״ג–1992',
      ar: 'أنظمة منع المكاره (منع الضوضاء)، 1992',
      en: 'Abatement of Nuisances (Prevention of Noise) Regulations, 5753–1992',
    },
    electricity: {
      he: 'חוק החשמל, התשי״ד–1954',
      ar: 'قانون الكهرباء، 1954',
      en: 'Electricity Law, 5714–1954',
    },
  } satisfies Record<LegalSource, Words>,

  items: {
    venue_licence: {
      title: { he: 'רישיון עסק של האולם', ar: 'رخصة مصلحة القاعة', en: 'The hall’s business licence' },
      why: {
        he: 'באירוע של 100 מוזמנים ומעלה כדאי לראות שרישיון העסק של האולם בתוקף ומתאים לגודל האירוע.',
        ar: 'في مناسبة من 100 مدعو فأكثر يُستحسن التأكد من أن رخصة القاعة سارية وتناسب حجم المناسبة.',
        en: 'With 100 guests or more, check that the hall’s business licence is valid and covers the size of the event.',
      },
    },
    temporary_event_licence: {
      title: {
        he: 'רישיון לאירוע תחת כיפת השמים',
        ar: 'رخصة لمناسبة في الهواء الطلق',
        en: 'A licence for an open-air event',
      },
      why: {
        he: 'אירוע בשטח פתוח ל־500 איש ומעלה טעון רישיון עסק לאירוע חד־פעמי.',
        ar: 'المناسبة في مكان مفتوح لـ500 شخص فأكثر تتطلب رخصة مصلحة لمناسبة لمرة واحدة.',
        en: 'An open-air event for 500 people or more needs a business licence for that one event.',
      },
    },
    capacity: {
      title: { he: 'תפוסת המקום', ar: 'سعة المكان', en: 'The venue’s capacity' },
      why: {
        he: 'צפויים יותר אנשים ממה שהמקום מיועד לו; צריך מקום גדול יותר או אישור לתפוסה גדולה יותר.',
        ar: 'يُتوقع حضور عدد أكبر مما أُعدّ له المكان؛ يلزم مكان أكبر أو موافقة على سعة أكبر.',
        en: 'More people are expected than the venue is meant for; you need a larger venue, or approval for more people.',
      },
    },
    accessibility: {
      title: { he: 'נגישות', ar: 'إتاحة الوصول', en: 'Accessibility' },
      why: {
        he: 'אירוע של 100 מוזמנים ומעלה צריך חניה, דרך, ישיבה ושירותים נגישים.',
        ar: 'مناسبة من 100 مدعو فأكثر تحتاج إلى موقف وطريق ومقاعد ومراحيض متاحة لذوي الإعاقة.',
        en: 'With 100 guests or more, parking, paths, seating and toilets have to be accessible.',
      },
    },
    police: {
      title: { he: 'תיאום עם המשטרה', ar: 'تنسيق مع الشرطة', en: 'Coordination with the police' },
      why: {
        he: 'אירוע רב־משתתפים בשטח פתוח מתואם עם המשטרה: סדר, תנועה ואבטחה.',
        ar: 'المناسبة الكبيرة في مكان مفتوح تُنسّق مع الشرطة: النظام والسير والحراسة.',
        en: 'A large open-air event is coordinated with the police: public order, traffic and security.',
      },
    },
    fire_safety: {
      title: { he: 'בטיחות אש', ar: 'السلامة من الحريق', en: 'Fire safety' },
      why: {
        he: 'קהל בשטח פתוח, מבנים ארעיים או אפקטים של אש מצריכים אישור של כבאות והצלה.',
        ar: 'جمهور في مكان مفتوح أو منشآت مؤقتة أو مؤثرات نارية تستلزم موافقة الإطفاء والإنقاذ.',
        en: 'An open-air crowd, temporary structures or fire effects need the approval of the fire service.',
      },
    },
    insurance: {
      title: { he: 'ביטוח צד שלישי', ar: 'تأمين الطرف الثالث', en: 'Third-party insurance' },
      why: {
        he: 'ככל שהאירוע גדול או מורכב יותר, כדאי ביטוח אחריות של המארגן, נוסף על זה של המקום.',
        ar: 'كلما كانت المناسبة أكبر أو أكثر تعقيدًا، يُستحسن تأمين مسؤولية للمنظّم إضافةً إلى تأمين المكان.',
        en: 'The larger or more complex the event, the more it is worth having organizer’s liability insurance in addition to the venue’s own.',
      },
    },
    kashrut_certificate: {
      title: { he: 'תעודת כשרות', ar: 'شهادة كشروت', en: 'Kashrut certificate' },
      why: {
        he: 'האירוע מוגדר כשר; לקייטרינג ולמקום צריכה להיות תעודה ברמה הזאת ובתוקף ביום האירוע.',
        ar: 'المناسبة مُعرّفة ككوشير؛ يجب أن تكون لدى الكيترينغ والمكان شهادة بهذا المستوى سارية يوم المناسبة.',
        en: 'The event is kosher; the caterer and the venue need a certificate of this level that is valid on the day of the event.',
      },
    },
    alcohol: {
      title: { he: 'משקאות משכרים', ar: 'مشروبات كحولية', en: 'Alcoholic drinks' },
      why: {
        he: 'מוגש אלכוהול: מכירה טעונה רישיון, ואסור להגיש לקטינים.',
        ar: 'يُقدَّم كحول: بيعه يتطلب رخصة، ويُمنع تقديمه للقاصرين.',
        en: 'Alcohol is served: selling it needs a licence, and minors may not be served.',
      },
    },
    first_aid: {
      title: { he: 'אבטחה רפואית', ar: 'إسعاف ميداني', en: 'First aid' },
      why: {
        he: 'באירוע גדול או באירוע רב־משתתפים בשטח פתוח נהוג להזמין כונן או אמבולנס.',
        ar: 'في مناسبة كبيرة أو في مكان مفتوح من المعتاد طلب مسعف مناوب أو سيارة إسعاف.',
        en: 'For a large event, or an open-air crowd, it is usual to book a medic on call or an ambulance.',
      },
    },
    noise: {
      title: { he: 'רעש ומוזיקה מוגברת', ar: 'ضوضاء وموسيقى بمكبّرات', en: 'Noise and amplified music' },
      why: {
        he: 'מוזיקה מוגברת בשטח פתוח או אחרי 23:00 מפריעה לשכנים ומוגבלת בתקנות; כדאי לתאם מראש.',
        ar: 'الموسيقى بمكبّرات الصوت في مكان مفتوح أو بعد 23:00 تزعج الجيران ومقيّدة في الأنظمة؛ يُستحسن التنسيق مسبقًا.',
        en: 'Amplified music outdoors or after 23:00 disturbs the neighbours and is limited by regulations; arrange it in advance.',
      },
    },
    structures: {
      title: {
        he: 'אישור למבנים ארעיים',
        ar: 'موافقة على منشآت مؤقتة',
        en: 'Approval of temporary structures',
      },
      why: {
        he: 'במה, אוהל או סככה צריכים אישור יציבות של מהנדס.',
        ar: 'المنصة أو الخيمة أو المظلة تحتاج إلى شهادة ثبات من مهندس.',
        en: 'A stage, a tent or a canopy needs an engineer’s stability certificate.',
      },
    },
    electricity: {
      title: { he: 'בדיקת חשמל', ar: 'فحص الكهرباء', en: 'Electrical inspection' },
      why: {
        he: 'חיבור חשמל זמני, לבמה או להגברה, נבדק בידי חשמלאי בודק לפני האירוע.',
        ar: 'الوصل الكهربائي المؤقت، للمنصة أو لمكبّرات الصوت، يفحصه كهربائي فاحص قبل المناسبة.',
        en: 'A temporary power connection, for a stage or loudspeakers, has to be checked by an inspecting electrician before the event.',
      },
    },
  } satisfies Record<ItemName, { title: Words; why: Words }>,
} as const;
