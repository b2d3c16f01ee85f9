import type { Words } from '../../../kernel/languages.ts';
import { PICTURE_LIMITS, type PictureComplaint } from './sizes.ts';

const mib = PICTURE_LIMITS.fileBytes / 2 ** 20;
const megapixels = PICTURE_LIMITS.pixels / 1e6;
const { leastSide } = PICTURE_LIMITS;

const complaints: Readonly<Record<PictureComplaint, Words>> = {
  format: {
    he: 'הקובץ אינו תמונה שאפשר לקבל. מתקבלים JPEG, PNG, WebP ו־AVIF.',
    ar: 'الملف ليس صورة يمكن قبولها. المقبول: JPEG وPNG وWebP وAVIF.',
    en: 'This file format is not accepted. Send a JPEG, PNG, WebP or AVIF picture.',
  },
  heic: {
    he: 'זו תמונת HEIC. שמרו אותה כ־JPEG ושלחו שוב (באייפון: שיתוף, אפשרויות, „התאמה מרבית”).',
    ar: 'هذه صورة HEIC. احفظوها بصيغة JPEG وأرسلوها مجددًا.',
    en: 'This is a HEIC picture. Save it as JPEG and send it again (on an iPhone: share, options, “most compatible”).',
  },
  broken: {
    he: 'התמונה פגומה ואי אפשר לקרוא אותה. נסו לשמור אותה מחדש.',
    ar: 'الصورة تالفة ولا يمكن قراءتها. حاولوا حفظها من جديد.',
    en: 'The picture is damaged and can’t be read. Try saving it again.',
  },
  pixels: {
    he: `בתמונה יש יותר מ־${megapixels} מגה־פיקסל. הקטינו אותה ושלחו שוב.`,
    ar: `في الصورة أكثر من ${megapixels} ميغابكسل. صغّروها وأرسلوها مجددًا.`,
    en: `The picture has more than ${megapixels} megapixels. Make it smaller and send it again.`,
  },
  small: {
    he: `התמונה קטנה מדי: נדרשים לפחות ${leastSide} פיקסלים לרוחב ולגובה.`,
    ar: `الصورة صغيرة جدًا: المطلوب ${leastSide} بكسل على الأقل عرضًا وارتفاعًا.`,
    en: `The picture is too small: it must be at least ${leastSide} pixels wide and high.`,
  },
  slow: {
    he: 'לקח יותר מדי זמן לקרוא את התמונה. שמרו אותה כ־JPEG ושלחו שוב.',
    ar: 'استغرقت قراءة الصورة وقتًا طويلًا. احفظوها بصيغة JPEG وأرسلوها مجددًا.',
    en: 'The picture took too long to read. Save it as JPEG and send it again.',
  },
};

export const messages = {
  complaints,
  none: {
    he: 'לא נשלחה תמונה.',
    ar: 'لم تُرسل أي صورة.',
    en: 'No picture was sent.',
  },
  tooLarge: {
    he: `התמונה גדולה מדי: מתקבלים עד ${mib} MiB.`,
    ar: `الصورة كبيرة جدًا: المقبول حتى ${mib} MiB.`,
    en: `The picture is too large: at most ${mib} MiB are accepted.`,
  },
  wrongType: {
    he: 'תמונה נשלחת כ־image/jpeg, image/png, image/webp או image/avif.',
    ar: 'تُرسل الصورة بصيغة image/jpeg أو image/png أو image/webp أو image/avif.',
    en: 'Send the picture as image/jpeg, image/png, image/webp or image/avif.',
  },
} as const;
