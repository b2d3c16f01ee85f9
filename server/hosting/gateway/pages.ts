import { createHash } from 'node:crypto';
import { html, htmlDocument } from '../../kernel/html.ts';
import { type Language, preferredLanguage } from '../../kernel/languages.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { pageTexts, pageWords, type SiteProblem } from './messages.ts';
import type { OutgoingResponse } from './outgoing-response.ts';

const STATUS: Readonly<Record<SiteProblem, number>> = {
  no_such_site: 404,
  no_such_page: 404,
  site_starting: 503,
  site_elsewhere: 503,
  site_stopped: 503,
  site_down: 502,
  site_broken: 502,
  site_late: 504,
  site_busy: 503,
  bad_request: 400,
  method_not_allowed: 405,
  upload_late: 408,
  upload_too_large: 413,
  site_maintenance: 503,
  password_needed: 401,
  too_many_passwords: 429,
};

/** Values of the `Retry-After` header, in seconds. */
const RETRY_AFTER: Partial<Record<SiteProblem, number>> = {
  site_starting: 2,
  site_elsewhere: 2,
  site_busy: 2,
  site_stopped: 300,
  site_maintenance: 300,
  too_many_passwords: 60,
};

/** Answers a request in place of a site: with a page for people, with JSON or a line of text for programs. */
export function answerProblem(
  request: IncomingRequest,
  response: OutgoingResponse,
  problem: SiteProblem,
  host = '',
  headers: Readonly<Record<string, string>> = {},
): void {
  const language = preferredLanguage(request.header('accept-language'));
  const accept = request.header('accept') ?? '';
  const [type, body] = accept.includes('text/html')
    ? ['text/html', renderProblemPage(problem, language, host)]
    : accept.includes('json')
      ? ['application/json', JSON.stringify({ error: sentence(problem, language), code: problem })]
      : ['text/plain', `${sentence(problem, language)}\n`];
  const retry = RETRY_AFTER[problem];
  const described = {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'content-language': language,
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    vary: 'accept, accept-language',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    ...(retry !== undefined && { 'retry-after': String(retry) }),
    ...headers,
  };
  response.writeHead(STATUS[problem], described);
  response.end(request.method === 'HEAD' ? undefined : body);
}

function sentence(problem: SiteProblem, language: Language): string {
  const { title, text } = pageTexts[language][problem];
  return `${title}. ${text}`;
}

/** Renders a complete page that loads nothing else. `host` is a host name or empty. */
export function renderProblemPage(problem: SiteProblem, language: Language, host: string): string {
  const { title, text, onPage = '' } = pageTexts[language][problem];
  const { tryAgain, home } = pageWords[language];
  const starting = problem === 'site_starting';
  const robots = html`<meta name="robots" content="noindex">\n`;
  const again = starting && html`<meta http-equiv="refresh" content="2">\n`;
  const body = html`<main>
${lantern(starting)}
<h1>${title}</h1>
<p>${[text, onPage].join(' ').trim()}</p>
${problem === 'no_such_page' && html`<a href="/">${home}</a>`}${AGAIN.has(problem) && html`<a href="">${tryAgain}</a>`}
</main>
<footer>${host && html`<bdi dir="ltr">${host}</bdi>`}<span>${STATUS[problem]}</span></footer>`;
  return htmlDocument({ language, title, style: STYLE, head: html`${robots}${again}`, body });
}

const AGAIN = new Set<SiteProblem>([
  'site_elsewhere',
  'site_down',
  'site_broken',
  'site_late',
  'site_busy',
  'upload_late',
]);

// Picture on the gateway's error page: a string of party lights, like an event just before it begins.
const lantern = (
  lit: boolean,
) => html`<svg${lit && html` class="lit"`} viewBox="0 0 240 84" width="240" height="84" aria-hidden="true">
<path d="M4 10Q62 52 120 34T236 14" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>
<g><circle cx="40" cy="42" r="9"/><circle cx="80" cy="54" r="9"/><circle cx="122" cy="46" r="9"/><circle cx="164" cy="40" r="9"/><circle cx="204" cy="36" r="9"/></g>
<g class="caps"><path d="M36 27h8v7h-8zM76 39h8v7h-8zM118 31h8v7h-8zM160 25h8v7h-8zM200 21h8v7h-8z"/></g>
</svg>`;

const STYLE = `
:root{color-scheme:light dark;--ground:#fdf9f3;--ink:#2b2440;--quiet:#6a6280;--line:#8d84a3;--accent:#6d3bd1;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#171223;--ink:#f4effc;--quiet:#b3a9c8;--line:#8b80a6;--accent:#c9aaff;--on:#1c1530}}
*{box-sizing:border-box}
html{height:100%}
body{margin:0;min-height:100%;display:flex;flex-direction:column;background:var(--ground);color:var(--ink);font:1.125rem/1.65 system-ui,"Segoe UI",Roboto,"Noto Sans","Noto Sans Hebrew","Noto Sans Arabic",sans-serif}
main{flex:1;display:flex;flex-direction:column;align-items:center;justify-content:center;text-align:center;padding:3rem 1.5rem 2rem}
svg{max-width:78%;height:auto;color:var(--line);margin-block-end:1.75rem}
circle:nth-child(5n+1){fill:#f2b84b}circle:nth-child(5n+2){fill:#ee7f9d}circle:nth-child(5n+3){fill:#6cc7b5}circle:nth-child(5n+4){fill:#8f7bea}circle:nth-child(5n){fill:#f2936b}
.caps{fill:currentColor}
h1{margin:0 0 .75rem;font-size:clamp(1.75rem,6vw,2.5rem);line-height:1.2;font-weight:700;text-wrap:balance}
p{margin:0;max-width:34rem;color:var(--quiet);text-wrap:balance}
a{display:inline-block;margin-block-start:2rem;padding:.7rem 1.6rem;border-radius:999px;background:var(--accent);color:var(--on);font-weight:600;text-decoration:none}
a:hover{filter:brightness(1.08)}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
footer{display:flex;gap:1rem;justify-content:center;padding:1.25rem 1.5rem;font-size:.875rem;color:var(--quiet)}
footer bdi{overflow-wrap:anywhere}
@media(prefers-reduced-motion:no-preference){.lit circle{animation:glow 1.6s ease-in-out infinite alternate}.lit circle:nth-child(2n){animation-delay:.5s}.lit circle:nth-child(3n){animation-delay:.9s}@keyframes glow{from{opacity:.35}}}
`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;
