import { type Html, html, isolateLeftToRight } from '../../kernel/html.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { readablePhone, whatsAppUrl } from '../guests/phone.ts';
import { mapUrl, wazeUrl } from '../invitation/maps.ts';
import { picturePath } from '../invitation/picture/addresses.ts';
import { textsIn } from '../invitation/words.ts';
import { googleCalendarUrl } from './calendar.ts';
import { localDate } from './dates.ts';
import { hebrewDateFor } from './hebrew-date.ts';
import { guestPageWords } from './messages.ts';
import type { InvitedEvent } from './store.ts';
import { textAttributes } from './text-attributes.ts';

/** Picture of the event's invitation, as HTML for a guest's page; null if the event has none. */
export function eventPicture(event: InvitedEvent, language: LanguageName): Html | null {
  if (!event.picture) return null;
  const { key, width, height } = event.picture;
  const small = picturePath(key, 'small');
  const large = picturePath(key, 'large');
  const sizes = '(max-width: 36rem) calc(100vw - 2rem), 34rem';
  return html`<img class="picture" src="${small}" srcset="${small} 720w, ${large} 1440w" sizes="${sizes}" width="${width}" height="${height}" alt="${textsIn(event, language).picture_alt}">`;
}

/** Header of a guest's page: some lines of text, the title of the event, and its hosts. */
export function eventHeading(event: InvitedEvent, language: LanguageName, ...before: string[]): Html {
  const { title, hosts } = textsIn(event, language);
  return html`
<header>${before.map((line) => html`<p>${line}</p>`)}<h1${textAttributes(title, language)}>${title}</h1>
${hosts && html`<p class="hosts"${textAttributes(hosts, language)}>${hosts}</p>`}</header>`;
}

/**
 * Section with the event's date, place and contact. Invited guests also get the livestream link and a link to add the
 * event to their calendar.
 */
export function aboutEvent(
  event: InvitedEvent,
  language: LanguageName,
  /**
   * Part of an invited guest's page with the addresses of a calendar file and of the page itself; without the calendar
   * file once the event has begun.
   */
  invited?: { calendar: string | undefined; page: string },
): Html {
  const say = guestPageWords[language];
  const { description, venue_name, venue_address } = textsIn(event, language);
  const { event_date: date } = event;
  const hebrewDate = hebrewDateFor(event, language);
  return html`
<section>
${description && html`<p class="about"${textAttributes(description, language)}>${isolateLeftToRight(description)}</p>`}
<dl>
${date && html`<dt>${say.when}</dt><dd><time datetime="${date.toISOString()}">${localDate(date, language)}</time>${hebrewDate && html`<br>${hebrewDate}`}</dd>`}
<dt>${say.where}</dt><dd><bdi>${venue_name}</bdi>${venue_address && html`<br><bdi>${venue_address}</bdi>`}</dd>
${contactPart(event, language)}
</dl>
<p class="links">
${outside(mapUrl(event), say.map)}
${outside(wazeUrl(event), say.waze)}
${invited && outside(event.online_url, say.online)}
${date && invited?.calendar && [html`<a href="${invited.calendar}">${say.calendar}</a>`, outside(googleEntry({ ...event, event_date: date }, language, invited.page), say.googleCalendar)]}
</p>
</section>`;
}

/** Contact of the hosts for questions about the event, as HTML; undefined if the hosts name none. */
export function contactPart(event: InvitedEvent, language: LanguageName): Html | undefined {
  const { contact_name } = textsIn(event, language);
  const { contact_phone, contact_email } = event;
  if (!contact_name && !contact_phone && !contact_email) return undefined;
  const chat = whatsAppUrl(contact_phone);
  return html`<dt>${guestPageWords[language].questions}</dt><dd class="contact">
${contact_name && html`<bdi>${contact_name}</bdi>`}
${contact_phone && html`<a href="tel:${contact_phone}" dir="ltr">${readablePhone(contact_phone)}</a>`}
${outside(chat, 'WhatsApp')}
${contact_email && html`<a href="mailto:${contact_email}" dir="ltr">${contact_email}</a>`}</dd>`;
}

function outside(url: string | null, label: string): Html | null {
  return url === null ? null : html`<a href="${url}" rel="noreferrer">${label}</a>`;
}

function googleEntry(
  event: InvitedEvent & { event_date: Date },
  language: LanguageName,
  page: string,
): string {
  return googleCalendarUrl({ ...event, ...textsIn(event, language) }, page);
}
