import type { Words } from '../../kernel/languages.ts';

/** Texts of the routes of variable groups. */
export const messages = {
  noSuchGroup: {
    he: 'אין קבוצת משתנים כזאת.',
    ar: 'لا توجد مجموعة متغيرات كهذه.',
    en: 'There is no such variable group.',
  },
  nameTaken: {
    he: 'כבר יש לך קבוצת משתנים בשם הזה.',
    ar: 'لديك مجموعة متغيرات بهذا الاسم.',
    en: 'You already have a variable group of this name.',
  },
  tooMany: (most: number): Words => ({
    he: `כבר יש לך ${most} קבוצות משתנים, וזה המספר המרבי.`,
    ar: `لديك ${most} مجموعة متغيرات، وهو الحد الأقصى.`,
    en: `You have ${most} variable groups, the limit for one user.`,
  }),
  tooManyLinked: (most: number): Words => ({
    he: `לאפליקציה כבר מקושרות ${most} קבוצות משתנים, וזה המספר המרבי.`,
    ar: `التطبيق مرتبط بـ ${most} مجموعات متغيرات، وهو الحد الأقصى.`,
    en: `The application has ${most} linked variable groups, the limit for one application.`,
  }),
  name: {
    he: 'נדרשים 1 עד 63 תווים של a-z, ספרות ומקפים, בלי מקף בהתחלה או בסוף.',
    ar: 'يلزم من 1 إلى 63 من a-z والأرقام والشرطات، دون شرطة في البداية أو النهاية.',
    en: 'must be 1 to 63 of a-z, 0-9 and hyphens, neither first nor last a hyphen.',
  },
} as const;
