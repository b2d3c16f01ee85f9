import { createHash } from 'node:crypto';
import { type Html, html, htmlDocument } from '../../kernel/html.ts';
import { type LanguageName, languageCodeOf, localeOf } from '../../kernel/languages.ts';
import { localDate } from '../answers/dates.ts';
import { venueLine } from '../events/place.ts';
import { DIETS, type Diet } from '../guests/fields.ts';
import { mealWords } from '../guests/meal-words.ts';
import { memberName } from '../guests/member-words.ts';
import { isCountedIn } from '../guests/members.ts';
import type { GuestNumbers } from './contract.ts';
import { catererWords } from './messages.ts';
import { type ReportedEvent, regularMeals, type SpecialGuest } from './store.ts';

/** Maximum number of guests on the caterer's page; a longer list belongs in a spreadsheet. */
export const MOST_ON_PAGE = 2_000;

const style = `
:root{color-scheme:light dark;--line:#8886;--soft:light-dark(#666,#aaa);background:light-dark(#fff,#262028)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 3rem;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Hebrew","Noto Sans Arabic",Arial,sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:1.5rem}h2{margin:1.5rem 0 .5rem;font-size:1.15rem}
p{margin:.25rem 0}.soft{color:var(--soft)}
table{border-collapse:collapse;width:100%;max-width:24rem}.guests{max-width:none;table-layout:fixed}.guests thead th:nth-child(1),.guests thead th:nth-child(3){width:24%}.guests thead th:nth-child(2){width:5rem}.guests thead th:nth-child(5){width:20%}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th[scope=row]{font-weight:400}
.number{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
tr.total th,tr.total td{font-weight:700;border-bottom:0}
@page{margin:15mm}
@media print{body{max-width:none;padding:0;font-size:11pt}:root{color-scheme:light}tr{break-inside:avoid}thead{display:table-header-group}}
@media screen and (max-width:36rem){.guests thead{position:absolute;clip-path:inset(50%)}.guests tr{display:block;padding:.4rem 0;border-bottom:1px solid var(--line)}.guests th,.guests td{display:block;padding:.1rem .6rem;border:0;text-align:start}.guests td:empty{display:none}.guests td::before{content:attr(data-label) ": ";color:var(--soft)}.guests th[scope=row]{font-weight:600}}
`;

const hash = createHash('sha256').update(style).digest('base64');
/**
 * Content security policy of the caterer's report. The console shows the report in a frame, hence `frame-ancestors
 * 'self'`.
 */
export const REPORT_POLICY = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;

export interface Report {
  event: ReportedEvent;
  numbers: Pick<GuestNumbers, 'people' | 'adults' | 'children' | 'meals'>;
  language: LanguageName;
}

/** Printable page for the caterer: how many people come, their meals, and guests with special meals or allergies. */
export function catererPage(
  { event, numbers, language }: Report,
  guests: readonly SpecialGuest[],
  more: boolean,
  now: Temporal.Instant,
): string {
  const say = catererWords[language];
  const number = (value: number) => value.toLocaleString(localeOf(language));
  const { people, adults, children, meals } = numbers;
  const line = (label: string, value: number, kind = ''): Html =>
    html`<tr class="${kind}"><th scope="row">${label}</th><td class="number">${number(value)}</td></tr>`;
  const body = html`
<header><h1>${say.title}<br><bdi>${event.title}</bdi></h1>
<p class="soft">${say.asOf(localDate(new Date(now.epochMilliseconds), language))}</p>
${event.event_date && html`<p>${say.when}: ${localDate(event.event_date, language)}</p>`}
<p>${say.where}: <bdi>${venueLine(event, say.comma)}</bdi></p>
<p>${say.kitchen}: ${say.kashrut[event.kashrut_level]}</p></header>
<h2>${say.people}</h2>
<table>${tellsChildren({ event, numbers }) && [line(say.adults, adults), line(say.children, children)]}${line(say.total, people, 'total')}</table>
<h2>${say.meals}</h2>
<table>${line(say.regular, meals.regular)}${DIETS.filter((diet) => meals[diet] > 0).map((diet) =>
    line(mealWords[language][diet], meals[diet]),
  )}</table>
<h2>${say.special}</h2>
${
  guests.length === 0
    ? html`<p>${say.nobody}</p>`
    : html`<table class="guests">
<thead><tr><th scope="col">${say.guest}</th><th scope="col" class="number">${say.count}</th><th scope="col">${say.meals}</th><th scope="col">${say.allergies}</th><th scope="col">${say.tags}</th></tr></thead>
<tbody>${guests.map((guest) => guestRow(guest, language))}</tbody></table>`
}
${more && html`<p>${say.more(number(guests.length))}</p>`}`;
  const title = `${say.title}: ${event.title}`;
  return htmlDocument({ language: languageCodeOf(language), title, style, body: html`<main>${body}</main>` });
}

/**
 * True if the caterer's report has numbers of children. For an event without children (a conference) they are left out,
 * instead of shown as 0.
 */
function tellsChildren({ event, numbers }: Pick<Report, 'event' | 'numbers'>): boolean {
  return event.children_asked || numbers.children > 0 || numbers.meals.childrens_meals > 0;
}

function guestRow(guest: SpecialGuest, language: LanguageName): Html {
  const say = catererWords[language];
  const meals = DIETS.filter((diet) => guest[diet] > 0).map(
    (diet) => `${mealWords[language][diet]}: ${guest[diet]}${eatersOf(guest, diet, language)}`,
  );
  const allergies = allergiesOf(guest, language);
  return html`
<tr><th scope="row">${bdi(guest.name)}</th><td class="number" data-label="${say.count}">${guest.people}</td><td data-label="${say.meals}">${meals.join(say.comma)}</td><td data-label="${say.allergies}">${allergies && bdi(allergies)}</td><td data-label="${say.tags}">${guest.tags.length > 0 && bdi(guest.tags.join(say.comma))}</td></tr>`;
}

/** Names of the members who eat a kind of meal, in brackets; empty if no name is known. */
function eatersOf({ name, members }: SpecialGuest, diet: Diet, language: LanguageName): string {
  const names = members
    .filter((member) => isCountedIn(diet, member) && member.name !== null)
    .map((member) => memberName(member, name, language));
  return names.length > 0 ? ` (${names.join(catererWords[language].comma)})` : '';
}

/** Allergies of the members who come, each after the name, then those of the party. */
function allergiesOf({ name, members, allergies }: SpecialGuest, language: LanguageName): string {
  const ofMembers = members
    .filter((member) => member.coming && member.allergies !== null)
    .map((member) => `${memberName(member, name, language)}: ${member.allergies}`);
  return [...ofMembers, ...(allergies === null ? [] : [allergies])].join('; ');
}

/**
 * Wraps a text in direction marks, so that text in another script does not change the direction of the text around it.
 */
function bdi(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** Caterer's report as rows of a spreadsheet: a total of everybody who comes, then each guest with special requests. */
export async function* catererRows(
  { event, numbers, language }: Report,
  guests: AsyncIterable<SpecialGuest>,
): AsyncGenerator<string[]> {
  const say = catererWords[language];
  const { people, children, meals } = numbers;
  const withChildren = tellsChildren({ event, numbers });
  const diets = DIETS.filter((diet) => withChildren || diet !== 'childrens_meals');
  const row = <T>(head: T, ofChildren: T, regular: T, eaten: T[]): T[] => [
    head,
    ...(withChildren ? [ofChildren] : []),
    regular,
    ...eaten,
  ];
  const heads = diets.map((diet) => mealWords[language][diet]);
  yield [say.guest, ...row(say.count, say.children, say.regular, heads), say.allergies, say.tags];
  const all = diets.map((diet) => meals[diet]);
  yield [say.total, ...row(people, children, meals.regular, all).map(String), '', ''];
  for await (const guest of guests) {
    const eaten = diets.map((diet) => guest[diet]);
    const counts = row(guest.people, guest.children, regularMeals(guest.people, guest), eaten);
    yield [guest.name, ...counts.map(String), allergiesOf(guest, language), guest.tags.join(', ')];
  }
}
