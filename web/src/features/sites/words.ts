import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'האתרים שלי', ar: 'مواقعي', en: 'My sites' },
  create: { he: 'אתר חדש', ar: 'موقع جديد', en: 'New site' },
  emptyTitle: { he: 'האתר הראשון שלכם', ar: 'موقعكم الأول', en: 'Your first site' },
  empty: {
    he: 'מביאים מאגר git או תיקייה, רואים מה זוהה, ותוך דקה האתר באוויר.',
    ar: 'أحضروا مستودع git أو مجلدًا، وانظروا ما تم التعرّف عليه، وخلال دقيقة يصبح الموقع منشورًا.',
    en: 'Bring a git repository or a folder, see what was recognised, and within a minute your site is live.',
  },
  sections: { he: 'מדורי האתר', ar: 'أقسام الموقع', en: 'Site sections' },
} as const satisfies Catalogue;
