/** Messages of the API for an event's questions. */
export const messages = {
  noSuchQuestion: { he: 'השאלה לא נמצאה.', ar: 'لم نجد هذا السؤال.', en: 'There is no such question.' },
  noSuchQuestionHere: {
    he: 'אין באירוע שאלה כזאת, או שהיא כבר לא מוצגת.',
    ar: 'لا يوجد سؤال كهذا في المناسبة، أو أنه لم يعد معروضًا.',
    en: 'the event asks no such question, or no longer does.',
  },
  tooMany: {
    he: 'יש כבר 20 שאלות באירוע, וזה המרב.',
    ar: 'في المناسبة 20 سؤالًا، وهذا الحد الأقصى.',
    en: 'The event has 20 questions already, the most there may be.',
  },
  fewOptions: {
    he: 'לשאלת בחירה נדרשות לפחות שתי תשובות.',
    ar: 'يلزم خياران على الأقل.',
    en: 'a choice needs at least two options.',
  },
  optionsOfChoice: {
    he: 'תשובות לבחירה נשלחות רק לשאלה מסוג choice.',
    ar: 'الخيارات لسؤال من نوع choice فقط.',
    en: 'go with a question of the kind choice only.',
  },
  mostOfNumber: {
    he: 'נשלח רק לשאלה מסוג number.',
    ar: 'يُرسل فقط لسؤال من نوع number.',
    en: 'goes with a question of the kind number only.',
  },
  unknownOption: {
    he: 'אין לשאלה תשובה עם המזהה הזה; לתשובה חדשה שולחים בלי מזהה.',
    ar: 'لا يوجد خيار بهذا المعرّف؛ الخيار الجديد يُرسل دون معرّف.',
    en: 'the question has no option of this id; a new one is sent without.',
  },
  optionTwice: {
    he: 'אותה תשובה מופיעה פעמיים.',
    ar: 'الخيار نفسه مكرر.',
    en: 'the same option is there twice.',
  },
  optionChosen: {
    he: 'יש אורחים שבחרו בתשובה שהוסרה. אפשר לשנות את נוסחה, או להפסיק להציג את השאלה (asked: false).',
    ar: 'هناك ضيوف اختاروا الخيار المحذوف. يمكن تغيير نصه أو إيقاف عرض السؤال (asked: false).',
    en: 'Some guests have chosen an option that is left out. Change its words, or ask no more (asked: false).',
  },
} as const;
