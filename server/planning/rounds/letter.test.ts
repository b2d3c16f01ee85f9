import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { type Addressee, letterTo, smsTo } from './letter.ts';
import { whatsAppMessageTo } from './templates.ts';

const invited: Addressee & { email: string; phone: string } = {
  id: '1',
  name: 'Dana',
  email: 'dana@example.com',
  phone: '+972501234567',
  rsvp_status: 'confirmed',
  coming: 3,
  waiting: false,
  maybe: false,
  registration: false,
  language: 'hebrew',
  language_pref: 'hebrew',
  event_date: new Date('2099-06-15T16:30:00Z'),
  coordinates: null,
  hebrew_date: null,
  venue_name: 'Eden',
  venue_address: null,
  description: null,
  status: 'published',
  lasts_minutes: null,
  sequence: 1,
  has_calendar_entry: false,
  title: 'Wedding',
  hosts: null,
  reply_to: null,
  answer_until: null,
};
const circumstances = { url: 'https://x/r/token', before: {}, now: Temporal.Now.instant(), host: 'x' };
const round = { subject: null, message: null };

const THREE = {
  hebrew: 'רשמנו שמגיעים 3 אנשים.',
  arabic: 'سجّلنا حضور 3 أشخاص.',
  english: 'We have you down for 3 people.',
};

test('who comes is told for how many, by mail, SMS and WhatsApp; who waits or has not answered is not', () => {
  for (const kind of ['moved_up', 'accepted', 'see_you', 'invitation'] as const) {
    for (const language of LANGUAGE_NAMES) {
      const said = (fields: Partial<Addressee> = {}) => {
        const guest = { ...invited, ...fields, language };
        return [
          letterTo(guest, { ...round, kind }, circumstances).text,
          smsTo(guest, { ...round, kind }, circumstances),
          whatsAppMessageTo(guest, { ...round, kind }, circumstances).parameters.details,
        ].map((text) => text?.includes(THREE[language]));
      };
      const tells = kind !== 'invitation';
      assert.deepEqual(said(), [tells, tells, tells], `${kind} ${language}`);
      const not = [false, false, false];
      assert.deepEqual(said({ rsvp_status: 'pending', waiting: true }), not, `${kind} ${language}`);
    }
  }
});

test('who registered or asked to come and waits reads so in the subject', () => {
  for (const registration of [true, false]) {
    for (const [language, words] of [
      ['hebrew', 'אתם ברשימת ההמתנה: Wedding'],
      ['arabic', 'أنتم في قائمة الانتظار: Wedding'],
      ['english', 'You are on the waiting list: Wedding'],
    ] as const) {
      const guest = { ...invited, language, registration };
      const subject = (more: Partial<Addressee>) =>
        letterTo({ ...guest, ...more }, { ...round, kind: 'accepted' }, circumstances).subject;
      assert.equal(subject({ rsvp_status: 'pending', waiting: true }), words);
      assert.notEqual(subject({}), words);
    }
  }
});

test('a Hebrew subject names hosts with a maqaf before what is not Hebrew', () => {
  const message = { hebrew: 'שלום' };
  const subject = (hosts: string) =>
    letterTo({ ...invited, hosts }, { ...round, message, kind: 'message' }, circumstances).subject;
  assert.deepEqual(
    [subject('נועה ואיתי'), subject('Noa')],
    ['הודעה מנועה ואיתי: Wedding', 'הודעה מ־Noa: Wedding'],
  );
});

test('the letter about a change offers an update of the answer only while the guest’s page takes answers', () => {
  const passed = new Date(circumstances.now.epochMilliseconds - 1000);
  const ahead = new Date(circumstances.now.epochMilliseconds + 60_000);
  const updates = { hebrew: /עדכון התשובה|לעדכן אותה/, arabic: /تحديث الرد|تحديثه/, english: /your answer/i };
  for (const language of LANGUAGE_NAMES) {
    for (const [answer_until, isOffered] of [
      [null, true],
      [ahead, true],
      [passed, false],
    ] as const) {
      const guest = { ...invited, language, answer_until };
      const change = { ...round, kind: 'change' as const };
      const texts = [
        letterTo(guest, change, circumstances).text,
        smsTo(guest, change, circumstances),
        whatsAppMessageTo(guest, change, circumstances).parameters.details ?? '',
      ];
      for (const text of texts) assert.equal(updates[language].test(text ?? ''), isOffered, text ?? '');
    }
  }
});
