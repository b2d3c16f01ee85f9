import { html } from '../../kernel/html.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { contactPart } from './about-event.ts';
import { accessibilityWords } from './accessibility-words.ts';
import { pageFooter, renderPage } from './page.ts';
import type { InvitedEvent } from './store.ts';

export function accessibilityPage(
  event: InvitedEvent,
  language: LanguageName,
  base: string,
  operator: string | undefined,
): string {
  const say = accessibilityWords[language];
  return renderPage(
    language,
    say.title,
    html`
<header><h1>${say.title}</h1></header>
<section>
${say.lines.map((line) => html`<p>${line}</p>`)}
<h2>${say.trouble}</h2>
<dl>${operator && html`<dt>${say.operator}</dt><dd><bdi>${operator}</bdi></dd>`}${contactPart(event, language)}</dl>
<p>${say.venue}</p>
</section>
${pageFooter(base, language, { at: '/accessibility' })}`,
  );
}
