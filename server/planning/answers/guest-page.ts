import { Html, html, htmlDocument } from '../../kernel/html.ts';
import { codeOf, directionOf, LANGUAGE_NAMES, type LanguageName } from '../../kernel/languages.ts';
import { KASHRUT_LEVELS } from '../events/fields.ts';
import { placeOf } from '../events/place.ts';
import { LARGEST_PARTY, LENGTHS } from '../guests/fields.ts';
import { localDate } from './dates.ts';
import type { Closed } from './input.ts';
import { type Words, words } from './messages.ts';
import type { InvitedEvent, InvitedGuest } from './store.ts';
import { style } from './style.ts';

export type Problem = keyof Words['problems'];

/** A whole page. `title` is the tab's. */
export function page(language: LanguageName, title: string, content: Html): string {
  return htmlDocument({
    language: codeOf(language),
    title,
    style,
    head: html`<meta name="robots" content="noindex, nofollow">\n`,
    body: html`<main>${content}</main>`,
  });
}

export interface GuestView {
  event: InvitedEvent;
  guest: InvitedGuest;
  language: LanguageName;
  closed: Closed | undefined;
  /** The answer was just saved. */
  saved: boolean;
  problem: Problem | undefined;
  /** What was typed into a form that could not be taken. */
  typed: URLSearchParams | undefined;
  path: string;
}

/** A guest's own page: the event, and the form to answer. */
export function guestPage(view: GuestView): string {
  const { event, guest, language, closed, path } = view;
  const say = words[language];
  return page(
    language,
    event.title,
    html`
<header><p>${say.hello(guest.name)}</p><p>${say.invitedTo}</p><h1 dir="auto">${event.title}</h1></header>
${view.saved && note('good', say.saved)}
${view.problem && note('bad', say.problems[view.problem])}
${standing(guest, say)}
${aboutEvent(event, language, `${path}/event.ics`)}
${closed ? note('wait', say.closed[closed]) : answerForm(view)}
<footer>${languageLinks(path, language)}<a href="${path}/unsubscribe?lang=${language}">${say.unsubscribe}</a></footer>`,
  );
}

/** What a deployed site's visitor sees of an event, with the form to ask for an invitation. */
export function openPage({
  event,
  language,
  closed,
  path,
  sent,
  problem,
  typed,
}: {
  event: InvitedEvent;
  language: LanguageName;
  closed: Closed | undefined;
  path: string;
  sent: boolean;
  problem: Problem | undefined;
  typed: URLSearchParams | undefined;
}): string {
  const say = words[language];
  const text = (field: string) => typed?.get(field) ?? '';
  return page(
    language,
    event.title,
    html`
<header><p>${say.ask}</p><h1 dir="auto">${event.title}</h1></header>
${problem && note('bad', say.problems[problem])}
${aboutEvent(event, language, undefined)}
${
  sent
    ? note('good', say.asked)
    : closed
      ? note('wait', say.closed[closed])
      : html`
<form method="post" action="${path}?lang=${language}">
<p>${say.askIntro}</p>
<fieldset><label class="over" for="name">${say.yourName}</label>
<input type="text" id="name" name="name" autocomplete="name" required maxlength="${LENGTHS.name}" value="${text('name')}"></fieldset>
<fieldset><label class="over" for="phone">${say.yourPhone}</label>
<input type="tel" id="phone" name="phone" dir="ltr" autocomplete="tel" maxlength="40" value="${text('phone')}"></fieldset>
<fieldset><label class="over" for="email">${say.yourEmail}</label>
<input type="email" id="email" name="email" dir="ltr" autocomplete="email" maxlength="${LENGTHS.email}" value="${text('email')}">
<p class="hint">${say.eitherHint}</p></fieldset>
<fieldset>${comingField(say, Number(text('coming')) || 1)}</fieldset>
<fieldset>${messageField(say, text('message'))}</fieldset>
<p class="trap" aria-hidden="true"><label>Website <input type="text" name="website" tabindex="-1" autocomplete="off"></label></p>
<button type="submit">${say.askSend}</button>
</form>`
}
<footer>${languageLinks(path, language)}</footer>`,
  );
}

export function unsubscribePage(
  event: InvitedEvent,
  language: LanguageName,
  path: string,
  done: boolean,
): string {
  const say = words[language];
  return page(
    language,
    say.unsubscribe,
    html`
<header><h1 dir="auto">${event.title}</h1></header>
<form method="post" action="${path}/unsubscribe?lang=${language}">
<p>${done ? say.unsubscribed : say.unsubscribeQuestion}</p>
<input type="hidden" name="wanted" value="${done ? 'yes' : 'no'}">
<button type="submit">${done ? say.subscribeAgain : say.unsubscribe}</button>
</form>`,
  );
}

/** A page for what went wrong, in all the languages: who reads it is not known. */
export function problemPage(sentence: (say: Words) => string, hint: (say: Words) => string): string {
  const texts = LANGUAGE_NAMES.map((language) => {
    const say = words[language];
    const code = codeOf(language);
    return html`<section lang="${code}" dir="${directionOf(code)}"><h2>${sentence(say)}</h2><p>${hint(say)}</p></section>`;
  });
  return page('hebrew', sentence(words.hebrew), html`${texts}`);
}

function note(kind: 'good' | 'wait' | 'bad', text: string): Html {
  return html`<p class="note ${kind}" role="status">${text}</p>`;
}

function standing(guest: InvitedGuest, say: Words): Html | false {
  if (guest.waiting) return note('wait', say.waitingNow(guest.coming));
  if (guest.rsvp_status === 'confirmed') return note('good', say.comingNow(Math.max(guest.coming, 1)));
  return guest.rsvp_status === 'declined' && note('wait', say.declinedNow);
}

function aboutEvent(event: InvitedEvent, language: LanguageName, calendar: string | undefined): Html {
  const say = words[language];
  const place = placeOf(event);
  const where = encodeURIComponent(place);
  return html`
<section>
${event.description && html`<p class="about" dir="auto">${event.description}</p>`}
<dl>
${event.event_date && html`<dt>${say.when}</dt><dd><time datetime="${event.event_date.toISOString()}">${localDate(event.event_date, language)}</time></dd>`}
<dt>${say.where}</dt><dd><bdi>${event.venue_name}</bdi>${event.venue_address && html`<br><bdi>${event.venue_address}</bdi>`}</dd>
</dl>
<p class="links">
<a href="${mapUrl(place)}" rel="noreferrer">${say.map}</a>
<a href="https://waze.com/ul?q=${where}&amp;navigate=yes" rel="noreferrer">${say.waze}</a>
${event.event_date && calendar && html`<a href="${calendar}">${say.calendar}</a>`}
</p>
</section>`;
}

/** https://developers.google.com/maps/documentation/urls/get-started#search-action */
export function mapUrl(place: string): string {
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(place)}`;
}

function answerForm({ event, guest, language, typed, path }: GuestView): Html {
  const say = words[language];
  const answered = guest.waiting || guest.rsvp_status !== 'pending';
  const chosen = typed
    ? typed.get('rsvp_status')
    : answered && (guest.rsvp_status === 'declined' ? 'declined' : 'confirmed');
  const coming = typed ? Number(typed.get('coming')) : guest.coming || guest.party_size;
  const kashrut = typed ? typed.get('kashrut_level') : (guest.kashrut_level ?? '');
  // It is about milk, and most events serve meat: kept where somebody said so, asked of nobody.
  const isAsked = (level: string) => level !== 'chalav_yisrael' || level === kashrut;
  const isChecked = (field: 'vegetarian' | 'vegan') => (typed ? typed.get(field) !== null : guest[field]);
  const choice = (value: string, label: string) => html`
<label class="choice"><input type="radio" name="rsvp_status" value="${value}" required${chosen === value && new Html(' checked')}> ${label}</label>`;
  const check = (field: 'vegetarian' | 'vegan') => html`
<label class="check"><input type="checkbox" name="${field}"${isChecked(field) && new Html(' checked')}> ${say[field]}</label>`;
  return html`
<form method="post" action="${path}?lang=${language}">
<fieldset><legend>${say.question}</legend>${choice('confirmed', say.yes)}${choice('declined', say.no)}</fieldset>
<fieldset class="coming">${comingField(say, coming || 1)}<p class="hint">${say.partyOf(guest.party_size)}</p></fieldset>
<fieldset class="coming"><legend>${say.food}</legend>
<label class="over hint" for="kashrut">${say.kashrut}</label>
<select id="kashrut" name="kashrut_level">${(['', ...KASHRUT_LEVELS] as const)
    .filter(isAsked)
    .map(
      (level) =>
        html`<option value="${level}"${kashrut === level && new Html(' selected')}>${say.kashrutLevels[level]}</option>`,
    )}</select>
<div>${check('vegetarian')}${check('vegan')}</div>
<label class="over hint" for="allergies">${say.allergies}</label>
<input type="text" id="allergies" name="allergies" maxlength="${LENGTHS.allergies}" placeholder="${say.allergiesHint}" value="${typed ? typed.get('allergies') : guest.allergies}">
</fieldset>
<fieldset>${messageField(say, typed ? typed.get('message') : guest.message)}</fieldset>
<button type="submit">${answered ? say.update : say.send}</button>
${event.answer_until && html`<p class="hint">${say.until(localDate(event.answer_until, language))}</p>`}
</form>`;
}

function comingField(say: Words, value: number): Html {
  return html`<label class="over" for="coming">${say.howMany}</label>
<input type="number" id="coming" name="coming" inputmode="numeric" min="1" max="${LARGEST_PARTY}" value="${value}">`;
}

function messageField(say: Words, value: string | null): Html {
  return html`<label class="over" for="message">${say.message}</label>
<textarea id="message" name="message" maxlength="${LENGTHS.message}" placeholder="${say.messageHint}">
${value}</textarea>`;
}

function languageLinks(path: string, language: LanguageName): Html[] {
  return LANGUAGE_NAMES.filter((one) => one !== language).map(
    (one) =>
      html`<a href="${path}?lang=${one}" lang="${codeOf(one)}" hreflang="${codeOf(one)}">${words[one].name}</a>`,
  );
}
