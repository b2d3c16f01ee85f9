import type { Words } from '../../kernel/languages.ts';

/** Texts for the operator. */
export const messages = {
  notAnOperator: {
    he: 'הדף הזה מיועד למפעילי השרת (ההגדרה OPERATORS).',
    ar: 'هذه الصفحة لمشغّلي الخادم (الإعداد OPERATORS).',
    en: 'This is for the server’s operators (the setting OPERATORS).',
  },
  noSuchSite: { he: 'אין אתר כזה.', ar: 'لا يوجد موقع كهذا.', en: 'There is no such site.' },
  noSuchDeveloper: { he: 'אין מפתח כזה.', ar: 'لا يوجد مطوّر كهذا.', en: 'There is no such developer.' },
  amount: {
    he: 'צריך להיות מספר שלם מ-0 (ללא הגבלה) עד 16,777,216, או null לברירת המחדל.',
    ar: 'يجب أن يكون عددًا صحيحًا من 0 (بلا حدّ) إلى 16,777,216، أو null للقيمة الافتراضية.',
    en: 'must be a whole number from 0 (no limit) to 16,777,216, or null for the default.',
  },
  allWell: { he: 'הכול תקין.', ar: 'كل شيء على ما يرام.', en: 'All is well.' },
  unhosted: (minutes: number): Words => ({
    he: `אף שרת לא מריץ את האתרים כבר ${inMinutes.he(minutes)}.`,
    ar: `لا يشغّل أي خادم المواقع منذ ${inMinutes.ar(minutes)}.`,
    en: `No server has run the sites for ${inMinutes.en(minutes)}.`,
  }),
  sitesDown: (count: number, minutes: number): Words => ({
    he: `${count === 1 ? 'אתר אחד אינו פועל' : `${count} אתרים אינם פועלים`}, הראשון כבר ${inMinutes.he(minutes)}.`,
    ar: `عدد المواقع المعطّلة: ${count}، أولها منذ ${inMinutes.ar(minutes)}.`,
    en: `${count === 1 ? '1 site is' : `${count} sites are`} down, the first for ${inMinutes.en(minutes)}.`,
  }),
  deploymentsWait: (minutes: number): Words => ({
    he: `פריסה ממתינה לתורה כבר ${inMinutes.he(minutes)}.`,
    ar: `ينتظر نشرٌ دورَه منذ ${inMinutes.ar(minutes)}.`,
    en: `A deployment has waited for its turn for ${inMinutes.en(minutes)}.`,
  }),
  mailWaits: (count: number, minutes: number): Words => ({
    he: `${count === 1 ? 'הודעת דואר אחת ממתינה' : `${count} הודעות דואר ממתינות`} כבר ${inMinutes.he(minutes)}: שרת ה-SMTP אינו מקבל אותן.`,
    ar: `عدد رسائل البريد المنتظرة: ${count}، منذ ${inMinutes.ar(minutes)}: خادم SMTP لا يقبلها.`,
    en: `${count === 1 ? '1 mail has' : `${count} mails have`} waited for ${inMinutes.en(minutes)}: the SMTP server does not take them.`,
  }),
  diskFull: (percent: number): Words => ({
    he: `בדיסק נותרו ${percent}% פנויים בלבד.`,
    ar: `لم يبقَ على القرص سوى ${percent}% من المساحة.`,
    en: `Only ${percent} % of the disk is free.`,
  }),
} as const;

const inMinutes = {
  he: (minutes: number) => (minutes === 1 ? 'דקה' : `${minutes} דקות`),
  ar: (minutes: number) => (minutes === 1 ? 'دقيقة' : `${minutes} دقيقة`),
  en: (minutes: number) => (minutes === 1 ? '1 minute' : `${minutes} minutes`),
};
