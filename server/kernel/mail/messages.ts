/** The words of the page that shows mail to developers. */
export const outboxWords = {
  title: 'Mail',
  explanation: 'No SMTP_URL is set, so mail is kept here in place of being sent. Newest first.',
  empty: 'No mail yet. Ask for a sign-in code, and it will be here.',
  back: 'All mail',
  to: 'To',
  text: 'As text',
  html: 'As HTML',
  gone: 'This mail is not here (any more).',
} as const;
