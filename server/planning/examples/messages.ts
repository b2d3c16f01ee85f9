export const messages = {
  thereAlready: {
    he: 'כבר יש לכם אירוע לדוגמה. אפשר להסיר אותו ואז ליצור חדש.',
    ar: 'لديكم مناسبة تجريبية من قبل. يمكن إزالتها ثم إنشاء أخرى.',
    en: 'You have an example event already. Remove it to make a new one.',
  },
} as const;
