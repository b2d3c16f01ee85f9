import type { Catalogue } from '../../../lib/words.ts';

/** Roles of people in a site. */
export const words = {
  owner: { he: 'בעלות', ar: 'المالك', en: 'Owner' },
  look: { he: 'צפייה', ar: 'الاطّلاع', en: 'Look' },
  deploy: { he: 'פריסה', ar: 'النشر', en: 'Deploy' },
  administer: { he: 'ניהול', ar: 'الإدارة', en: 'Administer' },
  yourRole: { he: 'התפקיד שלכם: {role}', ar: 'دوركم: {role}', en: 'Your role: {role}' },
} as const satisfies Catalogue;
