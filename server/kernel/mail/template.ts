import { html, htmlDocument, isolateLeftToRight } from '../html.ts';
import type { Language } from '../languages.ts';

/** Parts of a mail in reading order, all plain text. */
export interface Letter {
  language: Language;
  title: string;
  /**
   * Text of the mail that a list of mails shows after the subject. It is only needed if the first paragraphs say too
   * little.
   */
  glimpse?: string;
  paragraphs: readonly string[];
  /** Text that the reader copies, such as a one-time code; shown under the first paragraph of the mail. */
  code?: string;
  /** Button in the mail with a link. */
  action?: { label: string; url: string };
  /** Small print at the end of the mail; its link has a label, since a web address can be wider than a phone. */
  footer: string;
  footerLink?: { label: string; url: string };
}

/** Writes a mail as text and as HTML: one column, light and dark, right to left if its language is. */
export function writeLetter(letter: Letter): { text: string; html: string } {
  return { text: writeText(letter), html: writeHtml(letter) };
}

function writeText({ title, paragraphs, code, action, footer, footerLink }: Letter): string {
  const [first, ...others] = paragraphs;
  const parts = [
    title,
    first,
    code && `    ${code}`,
    ...others,
    action && `${action.label}:\n${action.url}`,
    `—\n${footer}`,
    footerLink && `${footerLink.label}:\n${footerLink.url}`,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function writeHtml(letter: Letter): string {
  const { language, title, glimpse, paragraphs, code, action, footer, footerLink } = letter;
  const [first, ...others] = paragraphs.map((paragraph) => {
    const lines = paragraph.split('\n');
    return html`<p dir="auto">${lines.map((line, index) => [index > 0 && html`<br>`, isolateLeftToRight(line)])}</p>\n`;
  });
  const body = html`${glimpse && html`<div style="display:none">${glimpse}</div>\n`}<main>
<h1 dir="auto">${title}</h1>
${first}${code && html`<div class="code" dir="ltr">${code}</div>\n`}${others}${
  action && html`<p><a class="action" href="${action.url}">${action.label}</a></p>\n`
}</main>
<footer>${footer}${footerLink && html`<br><a href="${footerLink.url}">${footerLink.label}</a>`}</footer>`;
  return htmlDocument({
    language,
    title,
    style: STYLE,
    head: html`<meta name="supported-color-schemes" content="light dark">\n`,
    body,
  });
}

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px 12px; background: #f5f2ee; color: #2b2623; font: 16px/1.6 system-ui, 'Segoe UI', Arial, sans-serif; }
main { max-width: 480px; margin: 0 auto; padding: 28px 24px; background: #fff; border-radius: 16px; }
h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.3; }
p { margin: 0 0 16px; }
main > :last-child { margin-bottom: 0; }
main, footer { overflow-wrap: anywhere; }
.code { margin: 24px 0; padding: 16px; border-radius: 12px; background: #f5f2ee; text-align: center; font: 700 28px/1.2 ui-monospace, Consolas, monospace; letter-spacing: 3px; }
.action { display: inline-block; padding: 12px 24px; border-radius: 999px; background: #a8324a; color: #fff; text-decoration: none; font-weight: 600; text-align: center; }
footer { max-width: 480px; margin: 16px auto 0; padding: 0 24px; color: #6b635e; font-size: 13px; }
footer a { color: inherit; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1816; color: #f0ebe6; }
  main { background: #262220; }
  .code { background: #1b1816; }
  footer { color: #a39a93; }
}
`;
