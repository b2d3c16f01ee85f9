import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'פריסות', ar: 'عمليات النشر', en: 'Deployments' },
  deploy: { he: 'פריסה', ar: 'نشر', en: 'Deploy' },
  deployAgain: { he: 'לפרוס שוב', ar: 'نشر من جديد', en: 'Deploy again' },
  emptyTitle: { he: 'עוד לא נפרס דבר', ar: 'لم يُنشر شيء بعد', en: 'Nothing deployed yet' },
  empty: {
    he: 'כל פריסה תופיע כאן, עם היומן שלה ועם הקומיט שנפרס.',
    ar: 'سيظهر هنا كل نشر مع سجلّه والـ commit المنشور.',
    en: 'Each deployment appears here, with its log and the commit that was deployed.',
  },
  older: { he: 'פריסות קודמות', ar: 'عمليات نشر أقدم', en: 'Older deployments' },
  current: { he: 'הנוכחית', ar: 'الحالي', en: 'Current' },
  branch: { he: 'ענף', ar: 'فرع', en: 'Branch' },
  tag: { he: 'תגית', ar: 'وسم', en: 'Tag' },
  preview: { he: 'תצוגה מקדימה', ar: 'معاينة', en: 'Preview' },
  cancel: { he: 'ביטול הפריסה', ar: 'إلغاء النشر', en: 'Cancel deployment' },
  keepOn: { he: 'להמשיך', ar: 'متابعة', en: 'Keep going' },
  cancelAbout: {
    he: 'הגרסה שבאוויר ממשיכה לפעול. לאישור, ללחוץ שוב.',
    ar: 'الإصدار المنشور يواصل العمل. للتأكيد اضغطوا مرة أخرى.',
    en: 'The live version keeps serving. Press again to confirm.',
  },
  rollBack: { he: 'לחזור לגרסה הזאת', ar: 'الرجوع إلى هذا الإصدار', en: 'Roll back to this release' },
  visit: { he: 'לאתר', ar: 'زيارة الموقع', en: 'Visit site' },
  whyFailed: { he: 'למה זה נכשל', ar: 'لماذا فشل', en: 'Why it failed' },
  waitsFor: { he: 'למה זה ממתין', ar: 'ماذا ينتظر', en: 'What it waits for' },
  whatNow: { he: 'מה עושים', ar: 'ما العمل', en: 'What to do' },
  toVariables: { he: 'למשתנים', ar: 'إلى المتغيرات', en: 'Open variables' },
  toSettings: { he: 'להגדרות', ar: 'إلى الإعدادات', en: 'Open settings' },
  toVolumes: { he: 'לכרכים', ar: 'إلى وحدات التخزين', en: 'Open volumes' },
  keptServing: {
    he: 'הגרסה הקודמת ממשיכה לפעול, והמבקרים לא הרגישו.',
    ar: 'يواصل الإصدار السابق العمل، ولم يشعر الزوّار بشيء.',
    en: 'The previous version keeps serving; visitors noticed nothing.',
  },
} as const satisfies Catalogue;
