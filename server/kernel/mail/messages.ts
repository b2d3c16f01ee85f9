/** The words of the page that shows mail to developers. */
export const outboxWords = {
  title: 'Mail',
  explanation: 'No SMTP_URL is set, so mail is kept here in place of being sent. Newest first.',
  empty: 'No mail yet. Ask for a sign-in code, and it will be here.',
  locked:
    'Whoever reads this page can sign in as anybody, so it asks for a key. Open the whole address that the server printed when it started: it ends in ?key=… (the key is also in the file mail-key in DATA_DIR).',
  back: 'All mail',
  to: 'To',
  text: 'As text',
  html: 'As HTML',
  gone: 'This mail is not here (any more).',
} as const;
