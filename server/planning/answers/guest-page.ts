import { Html, html } from '../../kernel/html.ts';
import { type LanguageName, languageCodeOf } from '../../kernel/languages.ts';
import { currentAnswer } from '../guests/capacity/allocation.ts';
import { LENGTHS } from '../guests/fields.ts';
import { peopleWords } from '../guests/people-words.ts';
import { titleIn } from '../invitation/words.ts';
import { aboutEvent, contactPart, eventHeading, eventPicture } from './about-event.ts';
import { agendaPart } from './agenda-part.ts';
import { answerStatusWords } from './answer-status-words.ts';
import { confirmationWordsFor } from './confirmation-words.ts';
import type { OpenLinkEvent } from './confirmations.ts';
import { localDate } from './dates.ts';
import { type FormMistake, fieldComplaint, mistakeAttributes, mistakeSummary } from './form-mistake.ts';
import type { ClosedReason } from './input.ts';
import { type GuestPageWords, guestPageWords, guestPageWordsFor } from './messages.ts';
import { type Asker, requiresAddress } from './open-link-input.ts';
import { noticePart, pageFooter, renderPage } from './page.ts';
import { ONE_PERSON, partyFields, partyFormValues } from './party-form.ts';
import { largestNumberFor, mostPeopleWords, partyHint } from './party-limit-words.ts';
import { linkPreview } from './preview.ts';
import { privacyNote } from './privacy-page.ts';
import { questionInputs } from './question-form.ts';
import type { InvitedEvent, InvitedGuest } from './store.ts';

/** Data for a guest's page with a form. */
interface View {
  event: InvitedEvent;
  language: LanguageName;
  closed: ClosedReason | undefined;
  /** True on the page that the server shows right after it stored an answer or request. */
  saved: boolean;
  mistake: FormMistake | undefined;
  /** Values that the guest typed into a form that the server refused. The page shows the values again. */
  typed: URLSearchParams | undefined;
  path: string;
  publicUrl: string;
}

export interface GuestView extends View {
  guest: InvitedGuest;
  /** Number of people for whom the guest requested places, if fewer places were granted. */
  wanted: number | undefined;
}

/** Guest's own page: the event, and the form to answer. */
export function guestPage(view: GuestView): string {
  const { event, guest, language, closed, mistake, path, publicUrl } = view;
  const comes = guest.rsvp_status === 'confirmed';
  const say = guestPageWordsFor(event, language, comes);
  const links = [html`<a href="${path}/unsubscribe?lang=${language}">${say.unsubscribe}</a>`];
  if (closed === 'cancelled') return cancelledPage(view, links);
  if (closed === 'draft') return draftPage(view, links);
  const isOver = closed === 'over';
  return renderPage(
    language,
    tabTitle(view),
    html`
${eventPicture(event, language)}${eventHeading(event, language, say.hello(guest.name), ...(isOver ? [] : [say.invitedTo]))}
${mistakeSummary(mistake, say)}
${(!mistake || mistake.problem === 'full') && answerStatus(view)}
${aboutEvent(event, language, { calendar: isOver ? undefined : `${path}/event.ics?lang=${language}`, page: publicUrl + path })}
${agendaPart(event, language)}
${closed ? noticePart('wait', say.closed[closed]) : answerForm(view)}
${pageFooter(path, language, { links })}`,
    linkPreview(event, language, publicUrl),
  );
}

/** Page of an event's open link, with the form to request an invitation or to register. */
export function openPage(view: View & { event: OpenLinkEvent; toConfirm?: boolean }): string {
  const { event, language, closed, path, publicUrl, saved, toConfirm = false, mistake, typed } = view;
  const say = guestPageWordsFor(event, language);
  const text = (field: string) => typed?.get(field) ?? '';
  const { registration, accept_by_itself, most_each } = event;
  const needsAddress = requiresAddress(event);
  const line = (field: 'company' | 'role', fill: string) => html`
<fieldset><label class="over" for="${field}">${say[field]}</label>
<input type="text" id="${field}" name="${field}" autocomplete="${fill}" maxlength="${LENGTHS[field]}" value="${text(field)}"${mistakeAttributes(mistake, field)}>
${fieldComplaint(mistake, field, say)}</fieldset>`;
  if (closed === 'cancelled') return cancelledPage(view);
  if (closed === 'draft') return draftPage(view);
  return renderPage(
    language,
    tabTitle(view),
    html`
${eventPicture(event, language)}${eventHeading(event, language, registration ? say.register : say.ask)}
${mistakeSummary(mistake, say)}
${saved && noticePart('good', accept_by_itself ? say.registered : say.asked)}
${toConfirm && noticePart('wait', confirmationWordsFor(event, language).sent)}
${aboutEvent(event, language)}
${agendaPart(event, language)}
${
  !saved &&
  !toConfirm &&
  (closed
    ? noticePart('wait', say.closed[closed])
    : html`
<form method="post" action="${path}?lang=${language}">
<p>${registration ? say.registerIntro : say.askIntro}</p>
<fieldset><label class="over" for="name">${say.yourName}</label>
<input type="text" id="name" name="name" autocomplete="name" required maxlength="${LENGTHS.name}" value="${text('name')}"${mistakeAttributes(mistake, 'name')}>
${fieldComplaint(mistake, 'name', say)}</fieldset>
${registration && [line('company', 'organization'), line('role', 'organization-title')]}
<fieldset><label class="over" for="phone">${say.yourPhone}</label>
<input type="tel" id="phone" name="phone" dir="ltr" autocomplete="tel" maxlength="40" value="${text('phone')}"${mistakeAttributes(mistake, 'phone')}>
${fieldComplaint(mistake, 'phone', say)}</fieldset>
<fieldset><label class="over" for="email">${say.yourEmail}</label>
<input type="email" id="email" name="email" dir="ltr" autocomplete="email" maxlength="${LENGTHS.email}" value="${text('email')}"${needsAddress && new Html(' required')}${mistakeAttributes(mistake, 'email')}>
${fieldComplaint(mistake, 'email', say)}<p class="hint">${needsAddress ? say.emailHint : say.eitherHint}</p></fieldset>
${partyFields({ event, party: ONE_PERSON, isFirstNamed: true, most: most_each, typed, mistake, language })}
${questionInputs(event, { answers: {}, typed, mistake, language }, say)}
<fieldset>${messageField(say, text('message'), mistake)}</fieldset>
<p class="trap" aria-hidden="true"><label>Website <input type="text" name="website" tabindex="-1" autocomplete="off"></label></p>
${privacyNote(path, language, event)}
<button type="submit">${registration ? say.registerSend : say.askSend}</button>
</form>`)
}
${pageFooter(path, language)}`,
    linkPreview(event, language, publicUrl),
  );
}

/**
 * Page that a confirmation mail links to. It has a button because programs that open links in mails must not confirm
 * anything.
 */
export function confirmPage(
  event: OpenLinkEvent,
  language: LanguageName,
  { path, token, asker }: { path: string; token: string; asker: Asker },
): string {
  const say = confirmationWordsFor(event, language);
  const { name, coming } = asker;
  return renderPage(
    language,
    say.title,
    html`
${eventHeading(event, language)}
<form method="post" action="${path}/confirm/${token}?lang=${language}">
<p>${say.ask}</p>
<p><bdi>${name}</bdi>${coming > 1 && html` · ${peopleWords[languageCodeOf(language)](coming)}`}</p>
<button type="submit">${say.confirm}</button>
</form>
${pageFooter(path, language)}`,
  );
}

export function unsubscribePage(
  event: InvitedEvent,
  language: LanguageName,
  path: string,
  done: boolean,
): string {
  const say = guestPageWords[language];
  return renderPage(
    language,
    say.unsubscribe,
    html`
${event.status === 'draft' ? html`<header><h1>${say.unsubscribe}</h1></header>` : eventHeading(event, language)}
<form method="post" action="${path}/unsubscribe?lang=${language}">
<p>${done ? say.unsubscribed : say.unsubscribeQuestion}</p>
<input type="hidden" name="wanted" value="${done ? 'yes' : 'no'}">
<button type="submit">${done ? say.subscribeAgain : say.unsubscribe}</button>
</form>
${pageFooter(path, language, { at: '/unsubscribe' })}`,
  );
}

/** Page of a draft. It tells nothing about the event, nor does a link preview, because nothing is final yet. */
function draftPage({ event, language, path }: View, links: Html[] = []): string {
  const say = guestPageWordsFor(event, language);
  return renderPage(
    language,
    say.notYet,
    html`
<header><h1>${say.notYet}</h1></header>
${noticePart('wait', say.closed.draft)}
${pageFooter(path, language, { links })}`,
  );
}

/**
 * Page of a cancelled event. The cancellation comes before anything else, and nothing on the page invites to the
 * event.
 */
function cancelledPage({ event, language, path, publicUrl }: View, links: Html[] = []): string {
  const say = guestPageWords[language];
  const asked = contactPart(event, language);
  return renderPage(
    language,
    say.cancelledTitle(titleIn(event, language)),
    html`
${noticePart('wait', say.closed.cancelled)}
${eventHeading(event, language)}
${asked && html`<section><dl>${asked}</dl></section>`}
${pageFooter(path, language, { links })}`,
    linkPreview(event, language, publicUrl),
  );
}

/** Title of the browser tab. Screen readers read it first, so it says if the form has a mistake. */
function tabTitle({ event, language, mistake }: View): string {
  const title = titleIn(event, language);
  return mistake ? guestPageWords[language].wrongTitle(title) : title;
}

/**
 * Guest's current answer, shown on their page. Right after an answer it also has thanks and, if places were granted for
 * fewer people than requested, says how many can come.
 */
function answerStatus({ event, guest, closed, saved, wanted = 0, language }: GuestView): Html | undefined {
  const say = guestPageWordsFor(event, language);
  const stands = answerStatusWords(guest, say, closed === 'over');
  if (!stands) return undefined;
  const { waiting, rsvp_status, coming, up_to } = guest;
  const comes = !waiting && rsvp_status === 'confirmed';
  const fewer =
    comes && wanted > coming ? [say.askedFor(wanted), mostPeopleWords({ event, guest }, language)] : [];
  const orFewer = waiting && up_to ? [say.orUpTo(up_to)] : [];
  return noticePart(comes ? 'good' : 'wait', ...(saved ? [say.saved] : []), stands, ...fewer, ...orFewer);
}

function answerForm({ event, guest, language, typed, mistake, path }: GuestView): Html {
  const say = guestPageWordsFor(event, language);
  const stands = currentAnswer(guest);
  const answered = stands !== 'pending';
  const chosen = typed ? typed.get('rsvp_status') : stands;
  // The error summary links to the element whose id is the field's name. Of a group of radio buttons, the first one has
  // this id.
  const choice = (value: string, label: string) => html`
<label class="choice"><input type="radio"${value === 'confirmed' && html` id="rsvp_status"`} name="rsvp_status" value="${value}" required${chosen === value && new Html(' checked')}> ${label}</label>`;
  return html`
<form method="post" action="${path}?lang=${language}">
<fieldset role="radiogroup"${mistakeAttributes(mistake, 'rsvp_status')}><legend>${say.question}</legend>${fieldComplaint(mistake, 'rsvp_status', say)}${choice('confirmed', say.yes)}${choice('declined', say.no)}${choice('maybe', say.maybe)}</fieldset>
${partyFields({ event, party: partyFormValues(guest), hint: partyHint({ event, guest }, language), most: largestNumberFor(guest), typed, mistake, language })}
${questionInputs(event, { answers: guest.answers, typed, mistake, language }, say)}
<fieldset>${messageField(say, typed ? typed.get('message') : guest.message, mistake)}</fieldset>
${privacyNote(path, language, event)}
<button type="submit">${answered ? say.update : say.send}</button>
${event.answer_until && html`<p class="hint">${say.until(localDate(event.answer_until, language))}</p>`}
</form>`;
}

function messageField(say: GuestPageWords, value: string | null, mistake: FormMistake | undefined): Html {
  return html`<label class="over" for="message">${say.message}</label>
<textarea id="message" name="message" maxlength="${LENGTHS.message}" placeholder="${say.messageHint}"${mistakeAttributes(mistake, 'message')}>
${value}</textarea>
${fieldComplaint(mistake, 'message', say)}`;
}
