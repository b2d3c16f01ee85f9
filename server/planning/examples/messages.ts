export const messages = {
  thereAlready: {
    he: 'כבר יש לכם אירוע לדוגמה. אפשר להסיר אותו ואז ליצור חדש.',
    ar: 'لديكم مناسبة تجريبية من قبل. يمكن إزالتها ثم إنشاء أخرى.',
    en: 'You already have an example event. Remove it to create a new one.',
  },
} as const;
