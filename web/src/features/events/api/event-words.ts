import type { Catalogue } from '../../../lib/words.ts';

/** Texts about an event that other features use as well: the event's states, and the time until the event. */
export const words = {
  draft: { he: 'טיוטה', ar: 'مسودّة', en: 'Draft' },
  published: { he: 'פורסם', ar: 'منشورة', en: 'Published' },
  completed: { he: 'הסתיים', ar: 'انتهت', en: 'Completed' },
  cancelled: { he: 'בוטל', ar: 'أُلغيت', en: 'Cancelled' },
  daysToGo: {
    he: '{n, plural, =0 {היום!} one {מחר} two {בעוד יומיים} other {בעוד # ימים}}',
    ar: '{n, plural, =0 {اليوم!} zero {اليوم!} one {غدًا} two {بعد يومين} few {بعد # أيام} many {بعد # يومًا} other {بعد # يوم}}',
    en: '{n, plural, =0 {Today!} one {Tomorrow} other {In # days}}',
  },
  cancelledAbout: {
    he: 'האירוע בוטל. אפשר להודיע למוזמנים, אבל אי אפשר לשנות דבר.',
    ar: 'أُلغيت المناسبة. يمكن إبلاغ الضيوف، ولا يمكن تغيير شيء.',
    en: 'The event is cancelled. You can notify guests, but nothing can be changed.',
  },
  keep: { he: 'חזרה', ar: 'رجوع', en: 'Go back' },
} as const satisfies Catalogue;
