/** Texts about requests for a plan. */
export const messages = {
  noHost: {
    he: 'אין כרגע שרת שמריץ אתרים, ולכן אין מי שיקרא את המאגר. נסו שוב בעוד רגע.',
    ar: 'لا يوجد الآن خادم يشغّل المواقع، فلا أحد يقرأ المستودع. حاول مجددًا بعد قليل.',
    en: 'No server runs sites now, so nobody is there to read the repository. Try again in a moment.',
  },
  notReady: {
    he: 'קריאת המאגר נמשכת, או שמחכה לפריסה שבעבודה. נסו שוב בעוד רגע.',
    ar: 'قراءة المستودع ما زالت جارية، أو تنتظر نشرًا قيد العمل. حاول مجددًا بعد قليل.',
    en: 'The repository is still being read, or waits for a deployment under way. Try again in a moment.',
  },
} as const;
