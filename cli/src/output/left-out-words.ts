/** Reasons why guests don't get a message, by the API's codes; the console has the same words. */
export const LEFT_OUT_WORDS: Readonly<Record<string, string>> = {
  answered: 'already replied',
  declined: 'said no',
  not_coming: 'not coming',
  told: 'already know',
  not_told_before: 'got no earlier message',
  no_email: 'without an email address',
  no_phone: 'without a phone',
  no_mobile: 'without a mobile phone',
  wrong_number: 'with a wrong number',
  unsubscribed: 'unsubscribed',
  not_now: 'the event has changed',
  erased: 'data erased',
  too_many: 'too many messages',
};
