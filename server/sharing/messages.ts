/** What co-organizers’ routes say, in Hebrew. */
export const messages = {
  notFound: 'אין באירוע מארגן שותף כזה.',
  alreadyThere: 'הכתובת הזאת כבר שותפה לאירוע.',
  yourself: 'כתובת הדוא״ל (email): זו הכתובת שלך, והאירוע כבר שלך.',
  tooMany: (most: number) => `אפשר לשתף אירוע עם ${most} מארגנים לכל היותר.`,
} as const;

export const fieldLabels: Readonly<Record<string, string>> = {
  email: 'כתובת הדוא״ל',
  access: 'ההרשאה',
};
