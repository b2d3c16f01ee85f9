import { directionOf, type Language } from './languages.ts';

/** Text that is HTML already, so that it is not escaped when it is put into other HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

interface Document {
  language: Language;
  /** Title of the document: of a page in the browser tab, or of a mail. */
  title: string;
  style: string;
  body: Html;
  /** Further HTML elements of the document's head. */
  head?: Html | false;
}

/** Complete HTML document for light and dark mode, which loads nothing from other servers. */
export function htmlDocument({ language, title, style, body, head }: Document): string {
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/** Makes HTML in which every value is escaped unless it is HTML itself; false and missing values are left out. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  const parts = strings.map((text, index) => text + (index < values.length ? escapePart(values[index]) : ''));
  return new Html(parts.join(''));
}

/** Pattern of phone numbers and web addresses, whose parts browsers would reorder in right-to-left text. */
const LEFT_TO_RIGHT = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]|\+?\d(?:[ -]?\d){6,})/;

/** HTML of a text that people wrote. Phone numbers and addresses in it are isolated as left-to-right. */
export function isolateLeftToRight(text: string): Html {
  const parts = text.split(LEFT_TO_RIGHT);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<bdi dir="ltr">${part}</bdi>` : part))}`;
}

function escapePart(value: Part): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(escapePart).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
