/** Texts about requests for a plan. */
export const messages = {
  noHost: {
    he: 'אין כרגע שרת שמריץ אתרים, ולכן אי אפשר לקרוא את המאגר. נסו שוב בעוד רגע.',
    ar: 'لا يوجد الآن خادم يشغّل المواقع، فلا يمكن قراءة المستودع. حاول مجددًا بعد قليل.',
    en: 'No server runs sites now, so the repository can’t be read. Try again in a moment.',
  },
  notReady: {
    he: 'קריאת המאגר נמשכת, או שהיא מחכה לפריסה שבעבודה. נסו שוב בעוד רגע.',
    ar: 'قراءة المستودع ما زالت جارية، أو تنتظر نشرًا قيد العمل. حاول مجددًا بعد قليل.',
    en: 'The repository is still being read, or waits for a deployment in progress. Try again in a moment.',
  },
} as const;
