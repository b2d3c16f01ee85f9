import { type Html, html } from '../../kernel/html.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { LARGEST_PARTY, LENGTHS } from '../guests/fields.ts';
import { mealWords } from '../guests/meal-words.ts';
import { mealsAsked } from './meals.ts';
import { type Words, words } from './messages.ts';
import { complaint, type Mistake, marks } from './mistake.ts';
import type { InvitedEvent, InvitedGuest } from './store.ts';

/** Who comes and what they eat: the parts of a guest's form about the people of their party. */

export function comingField(
  say: Words,
  value: number | string,
  mistake: Mistake | undefined,
  most: number = LARGEST_PARTY,
): Html {
  return numberField({ name: 'coming', label: say.howMany, value, least: 1, most }, mistake, say);
}

interface Answering {
  event: InvitedEvent;
  guest: InvitedGuest;
  /** What was typed into a form that could not be taken. */
  typed: URLSearchParams | undefined;
  mistake: Mistake | undefined;
  language: LanguageName;
}

/** What stands in a field: as it was typed, else as it is kept; a 0 is left for people to fill in. */
export function partyFields({ event, guest, typed, mistake, language }: Answering): Html {
  const say = words[language];
  const number = (field: string, kept: number) => typed?.get(field) ?? (kept > 0 ? kept : '');
  const comes = guest.coming > 0;
  const coming = comes ? guest.coming : guest.party_size;
  const kept = comes ? guest.coming_children : guest.party_children;
  const children = {
    ...{ name: 'coming_children', label: say.children, least: 0, most: LARGEST_PARTY },
    value: number('coming_children', kept),
  };
  return html`
<fieldset class="coming"><div class="numbers">
<div>${comingField(say, number('coming', coming), mistake)}</div>
${event.children_asked && html`<div>${numberField(children, mistake, say)}</div>`}
</div><p class="hint">${say.partyOf(guest.party_size)}</p></fieldset>
${event.food_asked && foodFields({ event, guest, typed, mistake, language }, number)}`;
}

function foodFields(
  { event, guest, typed, mistake, language }: Answering,
  number: (field: string, kept: number) => number | string,
): Html {
  const say = words[language];
  return html`
<fieldset class="coming"><legend>${say.food}</legend>
<p class="hint">${say.foodHint}</p>
<div class="meals">${mealsAsked(event, guest).map(
    (diet) => html`
<label for="${diet}">${mealWords[language][diet]}</label>${numberInput({ name: diet, value: number(diet, guest[diet]), least: 0, most: LARGEST_PARTY }, mistake)}
${complaint(mistake, diet, say)}`,
  )}</div>
<label class="over hint" for="allergies">${say.allergies}</label>
<input type="text" id="allergies" name="allergies" maxlength="${LENGTHS.allergies}" placeholder="${say.allergiesHint}" value="${typed?.get('allergies') ?? guest.allergies}"${marks(mistake, 'allergies')}>
${complaint(mistake, 'allergies', say)}
</fieldset>`;
}

interface NumberField {
  name: string;
  value: number | string;
  least: number;
  most: number;
}

function numberField(
  { label, ...field }: NumberField & { label: string },
  mistake: Mistake | undefined,
  say: Words,
): Html {
  return html`<label class="over" for="${field.name}">${label}</label>
${numberInput(field, mistake)}
${complaint(mistake, field.name, say)}`;
}

function numberInput({ name, value, least, most }: NumberField, mistake: Mistake | undefined): Html {
  return html`<input type="number" id="${name}" name="${name}" inputmode="numeric" min="${least}" max="${most}" value="${value}"${least === 0 && html` placeholder="0"`}${marks(mistake, name)}>`;
}
