import type { Catalogue } from '../../../lib/words.ts';

/** Changed fields in the history of a site, by the API's names. */
export const words = {
  application: { he: 'מהאתר', ar: 'من الموقع', en: 'From site' },
  branch: { he: 'ענף', ar: 'الفرع', en: 'Branch' },
  build: { he: 'פקודת בנייה', ar: 'أمر البناء', en: 'Build command' },
  command: { he: 'פקודה', ar: 'الأمر', en: 'Command' },
  commit: { he: 'commit', ar: 'commit', en: 'Commit' },
  deployment_uuid: { he: 'פריסה', ar: 'النشر', en: 'Deployment' },
  description: { he: 'תיאור', ar: 'الوصف', en: 'Description' },
  enabled: { he: 'פעיל', ar: 'مفعّل', en: 'Enabled' },
  files: { he: 'קבצים', ar: 'الملفات', en: 'Files' },
  headers: { he: 'כותרות', ar: 'الترويسات', en: 'Headers' },
  health_path: { he: 'נתיב בדיקת תקינות', ar: 'مسار فحص الصحة', en: 'Health check path' },
  image: { he: 'תמונה', ar: 'صورة الحاوية', en: 'Container image' },
  install: { he: 'פקודת התקנה', ar: 'أمر التثبيت', en: 'Install command' },
  kinds: { he: 'הודעות', ar: 'الرسائل', en: 'Messages' },
  maintenance: { he: 'דף תחזוקה', ar: 'صفحة صيانة', en: 'Maintenance page' },
  max_body_mb: {
    he: 'גודל מרבי של בקשה, ב־MiB',
    ar: 'الحد الأقصى لحجم الطلب بوحدة MiB',
    en: 'Largest request body in MiB',
  },
  name: { he: 'שם', ar: 'الاسم', en: 'Name' },
  node: { he: 'גרסת Node.js', ar: 'إصدار Node.js', en: 'Node.js version' },
  password: { he: 'סיסמה', ar: 'كلمة المرور', en: 'Password' },
  path: { he: 'תיקייה', ar: 'المجلد', en: 'Folder' },
  port: { he: 'פורט', ar: 'المنفذ', en: 'Port' },
  preview: { he: 'מהתצוגה המקדימה', ar: 'من المعاينة', en: 'From preview' },
  previews: { he: 'תצוגות מקדימות', ar: 'المعاينات', en: 'Previews' },
  protection: { he: 'הגנה בסיסמה', ar: 'الحماية بكلمة مرور', en: 'Password protection' },
  publish: { he: 'תיקייה לפרסום', ar: 'مجلد النشر', en: 'Publish folder' },
  redirect_to: { he: 'הפניה אל', ar: 'تحويل إلى', en: 'Redirects to' },
  redirects: { he: 'הפניות', ar: 'التحويلات', en: 'Redirects' },
  registry_password: {
    he: 'סיסמה במאגר התמונות',
    ar: 'كلمة المرور في السجل',
    en: 'Password at the registry',
  },
  registry_user: {
    he: 'שם משתמש במאגר התמונות',
    ar: 'اسم المستخدم في السجل',
    en: 'User name at the registry',
  },
  repository: { he: 'מאגר', ar: 'المستودع', en: 'Repository' },
  response_seconds: {
    he: 'זמן לתשובה, בשניות',
    ar: 'مهلة الإجابة بالثواني',
    en: 'Response timeout in seconds',
  },
  role: { he: 'תפקיד', ar: 'الدور', en: 'Role' },
  root: { he: 'תיקיית השורש', ar: 'المجلد الجذر', en: 'Root folder' },
  scopes: { he: 'הרשאות', ar: 'الصلاحيات', en: 'Scopes' },
  sha256: { he: 'SHA-256', ar: 'SHA-256', en: 'SHA-256' },
  source: { he: 'מקור', ar: 'المصدر', en: 'Source' },
  spa: { he: 'אפליקציה של דף אחד', ar: 'تطبيق من صفحة واحدة', en: 'Single-page app' },
  start: { he: 'פקודת הפעלה', ar: 'أمر التشغيل', en: 'Start command' },
  status: { he: 'מצב', ar: 'الحالة', en: 'Status' },
  sticky: { he: 'מבקר נשאר באותו עותק', ar: 'يبقى الزائر عند النسخة نفسها', en: 'Sticky sessions' },
  subdomain: { he: 'תת־דומיין', ar: 'النطاق الفرعي', en: 'Subdomain' },
  tag: { he: 'תגית', ar: 'وسم', en: 'Tag' },
  time_zone: { he: 'אזור זמן', ar: 'المنطقة الزمنية', en: 'Time zone' },
  to_application: { he: 'אל האתר', ar: 'إلى الموقع', en: 'To site' },
  type: { he: 'סוג', ar: 'النوع', en: 'Kind' },
  url: { he: 'כתובת', ar: 'العنوان', en: 'Address' },
  username: { he: 'שם משתמש', ar: 'اسم المستخدم', en: 'Username' },
  watch_paths: { he: 'נתיבים במעקב', ar: 'المسارات المراقبة', en: 'Watch paths' },
} as const satisfies Catalogue;

/** Operations whose fields have names that people gave: variables and processes. */
const GIVEN_NAMES: ReadonlySet<string> = new Set([
  'updateEnvironment',
  'updateVariables',
  'updateVariableGroup',
  'scaleProcesses',
]);

/** Key of the words for a changed field; undefined for a name that people gave. */
export function fieldWord(operation: string, field: string): keyof typeof words | undefined {
  if (GIVEN_NAMES.has(operation) || !Object.hasOwn(words, field)) return undefined;
  return field as keyof typeof words;
}
