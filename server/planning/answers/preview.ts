import { type Html, html } from '../../kernel/html.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { venueLine } from '../events/place.ts';
import { picturePath } from '../invitation/picture/addresses.ts';
import { PREVIEW_SIZE } from '../invitation/picture/sizes.ts';
import { textsIn } from '../invitation/words.ts';
import { localDate } from './dates.ts';
import { addHebrewDate } from './hebrew-date.ts';
import { guestPageWords } from './messages.ts';
import type { InvitedEvent } from './store.ts';

/** Locales for link previews (og:locale, https://ogp.me), with territories that Facebook knows. */
const LOCALES: Readonly<Record<LanguageName, string>> = {
  hebrew: 'he_IL',
  arabic: 'ar_AR',
  english: 'en_GB',
};

/**
 * Link preview of the event, as chats show it. It contains nothing about the guest, because everybody in the chat and
 * the servers of the chat's provider see it.
 */
export function linkPreview(event: InvitedEvent, language: LanguageName, publicUrl: string): Html {
  const isOff = event.status === 'cancelled';
  const texts = textsIn(event, language);
  const { title } = texts;
  const { picture } = event;
  const when = event.event_date && addHebrewDate(localDate(event.event_date, language), event, language);
  const about = isOff
    ? guestPageWords[language].closed.cancelled
    : [texts.hosts, when, venueLine(texts)].filter(Boolean).join(' · ');
  return html`
<meta name="description" content="${about}">
<meta property="og:type" content="website">
<meta property="og:title" content="${isOff ? guestPageWords[language].cancelledTitle(title) : title}">
<meta property="og:description" content="${about}">
<meta property="og:locale" content="${LOCALES[language]}">
${
  picture &&
  !isOff &&
  html`<meta property="og:image" content="${publicUrl}${picturePath(picture.key, 'preview')}">
<meta property="og:image:type" content="image/jpeg">
<meta property="og:image:width" content="${PREVIEW_SIZE.width}">
<meta property="og:image:height" content="${PREVIEW_SIZE.height}">
<meta property="og:image:alt" content="${texts.picture_alt}">
<meta name="twitter:card" content="summary_large_image">
`
}`;
}
