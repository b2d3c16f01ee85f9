import { type Html, html } from '../../kernel/html.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { placeOf } from '../events/place.ts';
import { localDate } from './dates.ts';
import { words } from './messages.ts';
import type { InvitedEvent } from './store.ts';

/** When and where the event is; `calendar` is the address of its entry. */
export function aboutEvent(event: InvitedEvent, language: LanguageName, calendar: string | undefined): Html {
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
