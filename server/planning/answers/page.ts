import { type Html, html, htmlDocument } from '../../kernel/html.ts';
import { directionOf, LANGUAGE_NAMES, type LanguageName, languageCodeOf } from '../../kernel/languages.ts';
import { ICON_PATH } from './icon.ts';
import { type GuestPageWords, guestPageWords } from './messages.ts';
import { pageStyle } from './style.ts';

/** Whole HTML page for guests. `title` is for the browser tab, `preview` for link previews in chats. */
export function renderPage(language: LanguageName, title: string, content: Html, preview?: Html): string {
  return htmlDocument({
    language: languageCodeOf(language),
    title,
    style: pageStyle,
    head: html`<meta name="robots" content="noindex, nofollow">\n<link rel="icon" href="${ICON_PATH}" type="image/svg+xml">${preview}\n`,
    body: html`<main>${content}</main>`,
  });
}

/** Error page for guests, in all languages because the reader's language is not known. */
export function problemPage(
  sentence: (say: GuestPageWords) => string,
  hint: (say: GuestPageWords) => string,
): string {
  const texts = LANGUAGE_NAMES.map((language, index) => {
    const say = guestPageWords[language];
    const code = languageCodeOf(language);
    const heading = index === 0 ? html`<h1>${sentence(say)}</h1>` : html`<h2>${sentence(say)}</h2>`;
    return html`<section lang="${code}" dir="${directionOf(code)}">${heading}<p>${hint(say)}</p></section>`;
  });
  return renderPage('hebrew', sentence(guestPageWords.hebrew), html`${texts}`);
}

export function noticePart(kind: 'good' | 'wait', ...sentences: string[]): Html {
  return html`<p class="note ${kind}" role="status">${sentences.join(' ')}</p>`;
}

/** Footer of a guest's page: links to other languages and related pages. `at` is the page's own path below `base`. */
export function pageFooter(
  base: string,
  language: LanguageName,
  { at = '', links = [] }: { at?: string; links?: readonly Html[] } = {},
): Html {
  const languages = LANGUAGE_NAMES.filter((one) => one !== language).map(
    (one) =>
      html`<a href="${base}${at}?lang=${one}" lang="${languageCodeOf(one)}" hreflang="${languageCodeOf(one)}">${guestPageWords[one].name}</a>`,
  );
  const say = guestPageWords[language];
  const others = [
    ['', say.backToEvent],
    ['/privacy', say.privacy],
    ['/accessibility', say.accessibility],
  ] as const;
  const leading = others
    .filter(([path]) => path !== at)
    .map(([path, label]) => html`<a href="${base}${path}?lang=${language}">${label}</a>`);
  return html`<footer>${languages}${leading}${links}</footer>`;
}
