import type { Language } from '../../kernel/languages.ts';

interface MailWords {
  subject(site: string): string;
  what(site: string): string;
  action: string;
}

interface OwnerMailWords {
  preview(site: string, preview: string): string;
  deployment_failed: MailWords;
  site_down: MailWords;
  site_up: MailWords;
  footer: string;
}

/** Texts of the mails to owners about their sites. */
export const ownerMailWords: Readonly<Record<Language, OwnerMailWords>> = {
  he: {
    preview: (site, preview) => `${site} (תצוגה מקדימה ${preview})`,
    deployment_failed: {
      subject: (site) => `הפריסה של ${site} נכשלה`,
      what: (site) => `הפריסה האחרונה של ${site} לא עלתה לאוויר. אם האתר רץ קודם, הגרסה הקודמת ממשיכה לרוץ.`,
      action: 'לפריסה וליומן שלה',
    },
    site_down: {
      subject: (site) => `${site} אינו זמין`,
      what: (site) => `${site} הפסיק לענות. השרת ממשיך לנסות להפעיל אותו.`,
      action: 'לאתר',
    },
    site_up: {
      subject: (site) => `${site} חזר לפעול`,
      what: (site) => `${site} עונה שוב.`,
      action: 'לאתר',
    },
    footer: 'נשלח כי האתר שלך, לכל היותר הודעה אחת מכל סוג בשעה. אפשר לכבות כל סוג בהגדרות החשבון.',
  },
  ar: {
    preview: (site, preview) => `${site} (معاينة ${preview})`,
    deployment_failed: {
      subject: (site) => `فشل نشر ${site}`,
      what: (site) =>
        `لم ينجح النشر الأخير لـ ${site}. إن كان الموقع يعمل من قبل فالإصدار السابق ما زال يعمل.`,
      action: 'إلى النشر وسجله',
    },
    site_down: {
      subject: (site) => `${site} لا يعمل`,
      what: (site) => `توقف ${site} عن الرد. يواصل الخادم محاولة تشغيله.`,
      action: 'إلى الموقع',
    },
    site_up: {
      subject: (site) => `عاد ${site} إلى العمل`,
      what: (site) => `${site} يرد من جديد.`,
      action: 'إلى الموقع',
    },
    footer:
      'أُرسلت لأن الموقع لك، رسالة واحدة من كل نوع في الساعة على الأكثر. يمكن إيقاف كل نوع في إعدادات الحساب.',
  },
  en: {
    preview: (site, preview) => `${site} (preview ${preview})`,
    deployment_failed: {
      subject: (site) => `The deployment of ${site} failed`,
      what: (site) =>
        `The last deployment of ${site} did not go live. If the site ran before, the former version still runs.`,
      action: 'Open the deployment and its log',
    },
    site_down: {
      subject: (site) => `${site} is down`,
      what: (site) => `${site} stopped answering. The server keeps trying to start it.`,
      action: 'Open the site',
    },
    site_up: {
      subject: (site) => `${site} is up again`,
      what: (site) => `${site} answers again.`,
      action: 'Open the site',
    },
    footer:
      'Sent because the site is yours, at most one mail of each kind an hour. Each kind can be switched off in the account settings.',
  },
};
