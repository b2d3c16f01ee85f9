/** Messages of the API for an event's questions. */
export const messages = {
  noSuchQuestion: { he: 'השאלה לא נמצאה.', ar: 'لم نجد هذا السؤال.', en: 'There is no such question.' },
  noSuchQuestionHere: {
    he: 'אין באירוע שאלה כזאת, או שהיא כבר לא מוצגת.',
    ar: 'لا يوجد سؤال كهذا في المناسبة، أو أنه لم يعد معروضًا.',
    en: 'the event has no such question, or no longer asks it.',
  },
  tooMany: {
    he: 'באירוע כבר 20 שאלות, וזה המספר המרבי.',
    ar: 'في المناسبة 20 سؤالًا، وهذا الحد الأقصى.',
    en: 'The event already has 20 questions, which is the maximum.',
  },
  fewOptions: {
    he: 'לשאלת בחירה נדרשות לפחות שתי תשובות.',
    ar: 'يلزم خياران على الأقل.',
    en: 'a choice needs at least two options.',
  },
  optionsOfChoice: {
    he: 'תשובות לבחירה נשלחות רק לשאלה מסוג choice.',
    ar: 'الخيارات لسؤال من نوع choice فقط.',
    en: 'are only possible for questions of the kind choice.',
  },
  mostOfNumber: {
    he: 'נשלח רק לשאלה מסוג number.',
    ar: 'يُرسل فقط لسؤال من نوع number.',
    en: 'is only possible for questions of the kind number.',
  },
  unknownOption: {
    he: 'אין לשאלה תשובה עם המזהה הזה; לתשובה חדשה שולחים בלי מזהה.',
    ar: 'لا يوجد خيار بهذا المعرّف؛ الخيار الجديد يُرسل دون معرّف.',
    en: 'the question has no option with this id; send a new option without an id.',
  },
  optionTwice: {
    he: 'אותה תשובה מופיעה פעמיים.',
    ar: 'الخيار نفسه مكرر.',
    en: 'the same option appears twice.',
  },
  optionChosen: {
    he: 'יש אורחים שבחרו בתשובה שהוסרה. אפשר לשנות את נוסחה, או להפסיק להציג את השאלה (asked: false).',
    ar: 'هناك ضيوف اختاروا الخيار المحذوف. يمكن تغيير نصه أو إيقاف عرض السؤال (asked: false).',
    en: 'Guests have chosen an option that would be removed. Change its text instead, or stop asking the question (asked: false).',
  },
} as const;
