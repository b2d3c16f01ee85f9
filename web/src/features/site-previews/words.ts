import type { Catalogue } from '../../lib/words.ts';

export const words = {
  about: {
    he: 'אתר נפרד לכל ענף, כדי לראות שינוי לפני שממזגים אותו.',
    ar: 'موقع منفصل لكل فرع، لرؤية التغيير قبل دمجه.',
    en: 'A separate site for a branch, to look at a change before it is merged.',
  },
  policy: { he: 'תצוגות שנוצרות לבד', ar: 'معاينات تُنشأ تلقائيًا', en: 'Automatic previews' },
  off: { he: 'אין', ar: 'لا شيء', en: 'None' },
  offAbout: {
    he: 'תצוגה נוצרת רק כאן, לפי ענף.',
    ar: 'تُنشأ المعاينة هنا فقط، من فرع.',
    en: 'A preview is created only here, from a branch.',
  },
  pull_requests: { he: 'לכל בקשת משיכה', ar: 'لكل طلب سحب', en: 'For each pull request' },
  pull_requestsAbout: {
    he: 'נוצרת כשהבקשה נפתחת, ונמחקת כשהיא ממוזגת או נסגרת.',
    ar: 'تُنشأ حين يُفتح الطلب، وتُحذف حين يُدمج أو يُغلق.',
    en: 'Created when it is opened, deleted when it is merged or closed.',
  },
  branches: { he: 'לכל ענף', ar: 'لكل فرع', en: 'For each branch' },
  branchesAbout: {
    he: 'נוצרת בדחיפה הראשונה, ונמחקת עם הענף.',
    ar: 'تُنشأ عند أول دفع، وتُحذف مع الفرع.',
    en: 'Created by the first push, deleted with the branch.',
  },
  needsHook: {
    he: 'דרוש וו דחיפה אצל מארח המאגר:',
    ar: 'يلزم خطّاف دفع لدى مضيف المستودع:',
    en: 'Needs the push hook at the repository’s host:',
  },
  toHook: { he: 'להגדרות האתר', ar: 'إلى إعدادات الموقع', en: 'site settings' },
  policySaved: { he: 'נשמר.', ar: 'تم الحفظ.', en: 'Saved.' },
  create: { he: 'תצוגה חדשה', ar: 'معاينة جديدة', en: 'New preview' },
  branch: { he: 'ענף', ar: 'الفرع', en: 'Branch' },
  branchAbout: {
    he: 'ענף של המאגר. דחיפות אליו יפרסו את התצוגה מחדש.',
    ar: 'فرع في المستودع. كل دفع إليه ينشر المعاينة من جديد.',
    en: 'A branch of the repository. Pushes to it deploy the preview again.',
  },
  createIt: { he: 'יצירה ופריסה', ar: 'إنشاء ونشر', en: 'Create and deploy' },
  cancel: { he: 'ביטול', ar: 'إلغاء', en: 'Cancel' },
  created: {
    he: 'התצוגה נוצרה ונפרסת.',
    ar: 'أُنشئت المعاينة ويجري نشرها.',
    en: 'Preview created; it is being deployed.',
  },
  emptyTitle: { he: 'אין תצוגות מקדימות', ar: 'لا توجد معاينات', en: 'No previews' },
  none: {
    he: 'יוצרים תצוגה מענף, או נותנים לכל בקשת משיכה לקבל אחת לבד.',
    ar: 'أنشئوا معاينة من فرع، أو دعوا كل طلب سحب يحصل على واحدة تلقائيًا.',
    en: 'Create one from a branch, or let each pull request get one by itself.',
  },
  noRepository: {
    he: 'לאתר הזה אין מאגר: תיקיות מועלות אליו. תצוגות נוצרות מענפים של מאגר.',
    ar: 'لا مستودع لهذا الموقع: تُرفع إليه مجلدات. تُنشأ المعاينات من فروع مستودع.',
    en: 'This site has no repository: folders are uploaded to it. Previews are made from branches of a repository.',
  },
  pullRequest: { he: 'בקשת משיכה #{n}', ar: 'طلب سحب #{n}', en: 'Pull request #{n}' },
  visited: { he: 'ביקור אחרון', ar: 'آخر زيارة', en: 'Last visit' },
  deployed: { he: 'נפרס', ar: 'نُشر', en: 'Deployed' },
  lastDeployment: { he: 'הפריסה האחרונה', ar: 'آخر نشر', en: 'Last deployment' },
  asleepAbout: {
    he: 'רדומה כי לא ביקרו בה. הביקור הבא מעיר אותה.',
    ar: 'نائمة لأن أحدًا لم يزرها. الزيارة التالية توقظها.',
    en: 'Asleep, since nobody visited it. The next visit wakes it.',
  },
  actions: { he: 'פעולות על {branch}', ar: 'إجراءات {branch}', en: 'Actions for {branch}' },
  again: { he: 'פריסה מחדש', ar: 'نشر من جديد', en: 'Deploy again' },
  deploying: { he: 'הפריסה התבקשה.', ar: 'طُلب النشر.', en: 'Deployment requested.' },
  remove: { he: 'מחיקה', ar: 'حذف', en: 'Delete' },
  removeAbout: {
    he: 'האתר של התצוגה, הקבצים והמשתנים שלה יימחקו; הענף נשאר.',
    ar: 'يُحذف موقع المعاينة وملفاتها ومتغيراتها؛ يبقى الفرع.',
    en: 'The preview’s site, files and variables are deleted; the branch stays.',
  },
  removed: { he: 'התצוגה נמחקה.', ar: 'حُذفت المعاينة.', en: 'Preview deleted.' },
} as const satisfies Catalogue;
