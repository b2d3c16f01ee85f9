import { type Html, html, isolateLeftToRight } from '../../kernel/html.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { localDay, localTime } from './dates.ts';
import { guestPageWords } from './messages.ts';
import type { InvitedEvent } from './store.ts';
import { textAttributes } from './text-attributes.ts';

type Item = InvitedEvent['agenda'][number];

/** Agenda of an event, as HTML for a guest's page; grouped by day if the event has several days. */
export function agendaPart({ agenda }: InvitedEvent, language: LanguageName): Html | undefined {
  if (agenda.length === 0) return undefined;
  const days = Object.entries(Object.groupBy(agenda, ({ starts_at }) => localDay(starts_at, language)));
  return html`
<section><h2>${guestPageWords[language].agenda}</h2>
${days.map(
  ([day, items = []]) => html`
${days.length > 1 && html`<h3>${day}</h3>`}
<ol class="agenda">${items.map((item) => itemPart(item, language))}</ol>`,
)}
</section>`;
}

function itemPart(
  { starts_at, ends_at, title, speaker, place, description }: Item,
  language: LanguageName,
): Html {
  const ends = ends_at && [
    html`–`,
    html`<time datetime="${ends_at.toISOString()}">${localTime(ends_at, language)}</time>`,
  ];
  return html`
<li><p class="hint"><bdi><time datetime="${starts_at.toISOString()}">${localTime(starts_at, language)}</time>${ends}</bdi>${place && html` · <bdi>${place}</bdi>`}</p>
<p><strong${textAttributes(title, language)}>${title}</strong>${speaker && html`<br><bdi>${speaker}</bdi>`}</p>
${description && html`<p class="about hint"${textAttributes(description, language)}>${isolateLeftToRight(description)}</p>`}</li>`;
}
