import type { Catalogue } from '../../lib/words.ts';

export const words = {
  drop: {
    he: 'גוררים לכאן תיקייה, או קובץ zip או tar.gz',
    ar: 'اسحبوا إلى هنا مجلدًا، أو ملف zip أو tar.gz',
    en: 'Drop a folder here, or a zip or tar.gz file',
  },
  dropAbout: {
    he: 'node_modules,‏ ‎.git וקובצי ‎.env לא נשלחים. משתנים מגדירים באתר.',
    ar: 'لا تُرسل node_modules و‎.git وملفات ‎.env. المتغيرات تُحدَّد في الموقع.',
    en: 'node_modules, .git and .env files are not sent. Variables are set in the site.',
  },
  chooseFolder: { he: 'בחירת תיקייה', ar: 'اختيار مجلد', en: 'Choose folder' },
  chooseFile: { he: 'בחירת קובץ', ar: 'اختيار ملف', en: 'Choose file' },
  noArchive: {
    he: 'אפשר להעלות תיקייה, zip,‏ tar או tar.gz.',
    ar: 'يمكن رفع مجلد أو zip أو tar أو tar.gz.',
    en: 'Choose a folder, or a zip, tar or tar.gz file.',
  },
  emptyFolder: { he: 'אין בתיקייה קבצים.', ar: 'لا ملفات في المجلد.', en: 'The folder has no files.' },
} as const satisfies Catalogue;
