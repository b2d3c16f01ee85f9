import { textInLanguage } from '../../kernel/field-types.ts';
import { type Html, html } from '../../kernel/html.ts';
import { type LanguageName, languageCodeOf, localeOf } from '../../kernel/languages.ts';
import type { Guest } from '../guests/contract.ts';
import { DIETS, guestFields } from '../guests/fields.ts';
import { membersText } from '../guests/member-words.ts';
import { readablePhone } from '../guests/phone.ts';
import { textsIn } from '../invitation/words.ts';
import { answerText, type GuestQuestion } from '../questions/answers.ts';
import { contactPart } from './about-event.ts';
import { answerStatusWords } from './answer-status-words.ts';
import { guestPageWords, guestPageWordsFor } from './messages.ts';
import { pageFooter, renderPage } from './page.ts';
import { privacyWords } from './privacy-words.ts';
import type { InvitedEvent } from './store.ts';
import { languageAttribute } from './text-attributes.ts';

export interface PrivacyView {
  event: InvitedEvent;
  language: LanguageName;
  /** Path of the guest's page or the open link, to which the privacy page's footer leads back. */
  base: string;
  /** Day on which the guests' data is erased, `YYYY-MM-DD`. */
  erasesOn: string | null;
  /** Guest whose data the privacy page shows; absent if the page was opened through the open link. */
  guest?: Guest;
  /** All of the event's own questions, including questions that guests are no longer asked. */
  questions?: readonly GuestQuestion[];
  isOver: boolean;
}

/**
 * Privacy page: who stores which data, why and for how long, and people's rights. For a guest it also shows their
 * data.
 */
export function privacyPage(view: PrivacyView): string {
  const { event, language, base, erasesOn, guest } = view;
  const say = privacyWords(language, event);
  const until =
    erasesOn === null
      ? undefined
      : Temporal.PlainDate.from(erasesOn).toLocaleString(localeOf(language), { dateStyle: 'long' });
  const asked = contactPart(event, language);
  const about = { keeper: textsIn(event, language).hosts ?? say.hosts, until, ...kindsOfData(event, guest) };
  return renderPage(
    language,
    say.title,
    html`
<header><h1>${say.title}</h1></header>
<section>
${say.parts(about).map(([heading, text]) => html`<h2>${heading}</h2><p>${text}</p>`)}
${!guest && html`<p class="hint">${say.ofTheHosts}</p>`}
${asked && html`<dl>${asked}</dl>`}
</section>
${guest && [dataPart(view, guest), erasePart(view)]}
${pageFooter(base, language, { at: '/privacy' })}`,
  );
}

export function erasedPage(language: LanguageName): string {
  const say = privacyWords(language, { registration: false });
  return renderPage(language, say.title, html`<header><h1>${say.erased}</h1></header>`);
}

/** Note about privacy, below a form that asks for personal data. */
export function privacyNote(base: string, language: LanguageName, event: InvitedEvent): Html {
  const say = privacyWords(language, event);
  return html`<p class="hint">${say.short} ${event.food_asked && `${say.food} `}<a href="${base}/privacy?lang=${language}">${say.title}</a></p>`;
}

/**
 * Data of a guest that their personal link may show. The hosts' own notes are left out, because guests pass links on.
 */
export function guestVisibleData(guest: Guest): Readonly<Record<string, unknown>> {
  const { event_id: _event, note: _note, tags: _tags, ...visible } = guest;
  return visible;
}

/** Kinds of a guest's data that not every event stores. Hosts may have noted data that the event does not ask for. */
function kindsOfData({ food_asked, registration, questions }: InvitedEvent, guest: Guest | undefined) {
  const noted = guest && {
    food:
      guest.allergies !== null ||
      guest.members.some(({ allergies }) => allergies !== null) ||
      DIETS.some((diet) => guest[diet] > 0),
    work: guest.company !== null || guest.role !== null,
    answers: Object.keys(guest.answers).length > 0,
  };
  return {
    food: food_asked || noted?.food === true,
    work: registration || noted?.work === true,
    answers: questions.length > 0 || noted?.answers === true,
  };
}

/**
 * Fields of a guest that the privacy page's list leaves out: notes and tags of the hosts, which a link does not show,
 * and answers, which are listed with their questions.
 */
const SHOWN_OTHERWISE: ReadonlySet<string> = new Set(['note', 'tags', 'answers']);

function dataPart({ event, base, language, questions = [], isOver }: PrivacyView, guest: Guest): Html {
  const say = privacyWords(language, event);
  const code = languageCodeOf(language);
  const fields = Object.entries(guestFields).filter(([field]) => !SHOWN_OTHERWISE.has(field));
  const rows = fields.flatMap(([field, { label }]) => {
    const value = valueText(field, guest[field as keyof Guest], guest, language);
    return value === '' ? [] : [html`<dt>${label[code]}</dt><dd><bdi>${value}</bdi></dd>`];
  });
  const answers = questions.flatMap((question) => {
    const value = answerText(question, guest.answers[question.id], language);
    const text = textInLanguage(question.text, language, event.language_pref);
    return value === ''
      ? []
      : [html`<dt><bdi${languageAttribute(text, language)}>${text}</bdi></dt><dd><bdi>${value}</bdi></dd>`];
  });
  const answer = answerStatusWords(
    { ...guest, waiting: guest.waiting_since !== null },
    guestPageWordsFor(event, language),
    isOver,
  );
  return html`
<section><h2>${say.kept}</h2>
<dl>${rows}${answers}${answer && html`<dt>${say.answer}</dt><dd>${answer}</dd>`}</dl>
<p class="hint">${say.ofTheHosts}</p>
<p class="links"><a href="${base}?lang=${language}">${say.correct}</a><a href="${base}/kept.json" download>${say.download}</a></p>
</section>`;
}

function erasePart({ event, base, language, isOver }: PrivacyView): Html {
  const say = privacyWords(language, event);
  return html`
<form method="post" action="${base}/erase?lang=${language}">
<h2>${say.erase}</h2>
<p>${isOver ? say.eraseHintOver : say.eraseHint}</p>
<p><label class="check"><input type="checkbox" name="understood" value="yes" required> ${say.understood}</label></p>
<button type="submit">${say.eraseNow}</button>
</form>`;
}

function valueText(field: string, value: unknown, guest: Guest, language: LanguageName): string {
  // A number of meals that is 0 counts as no data of the guest.
  if (value === null || value === undefined || value === 0) return '';
  if (field === 'members') return membersText(guest, language);
  if (Array.isArray(value)) return value.map((one) => valueText(field, one, guest, language)).join(', ');
  if (field === 'phone' || field === 'other_phones') return readablePhone(String(value));
  if (field === 'language') return guestPageWords[value as LanguageName].name;
  return String(value);
}
