import type { Words } from '../../kernel/languages.ts';

/** Texts about previews. */
export const messages = {
  tooMany: (most: number): Words => ({
    he: `מספר התצוגות המקדימות של אפליקציה אחת מוגבל ל־${most}; יש למחוק אחת מהן או לסגור את הבקשה שלה.`,
    ar: `لا يزيد عدد معاينات التطبيق الواحد على ${most}؛ احذف إحداها أو أغلق طلبها.`,
    en: `An application has at most ${most} previews; delete one, or close its pull request.`,
  }),
  exists: (name: string): Words => ({
    he: `לענף הזה כבר יש תצוגה מקדימה: ${name}.`,
    ar: `لهذا الفرع معاينة بالفعل: ${name}.`,
    en: `This branch already has a preview: ${name}.`,
  }),
  production: {
    he: 'זה הענף של האתר עצמו.',
    ar: 'هذا فرع الموقع نفسه.',
    en: 'is the branch of the production site.',
  },
};
