import { type Html, html } from '../../kernel/html.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { LARGEST_PARTY, LENGTHS } from '../guests/fields.ts';
import { mealWords } from '../guests/meal-words.ts';
import { mealsAsked } from './meals.ts';
import { type Words, words } from './messages.ts';
import type { InvitedEvent, InvitedGuest } from './store.ts';

/** Who comes and what they eat: the parts of a guest's form about the people of their party. */

export function comingField(say: Words, value: number): Html {
  return numberField('coming', say.howMany, value, 1);
}

interface Answering {
  event: InvitedEvent;
  guest: InvitedGuest;
  /** What was typed into a form that could not be taken. */
  typed: URLSearchParams | undefined;
  language: LanguageName;
}

/** What stands in a field: as it was typed, else as it is kept; a 0 is left for people to fill in. */
export function partyFields({ event, guest, typed, language }: Answering): Html {
  const say = words[language];
  const number = (field: string, kept: number) => typed?.get(field) ?? (kept > 0 ? kept : '');
  const comes = guest.coming > 0;
  const coming = comes ? guest.coming : guest.party_size;
  const children = comes ? guest.coming_children : guest.party_children;
  return html`
<fieldset class="coming"><div class="numbers">
<div>${numberField('coming', say.howMany, number('coming', coming), 1)}</div>
<div>${numberField('coming_children', say.children, number('coming_children', children), 0)}</div>
</div><p class="hint">${say.partyOf(guest.party_size)}</p></fieldset>
<fieldset class="coming"><legend>${say.food}</legend>
<p class="hint">${say.foodHint}</p>
<div class="meals">${mealsAsked(event, guest).map(
    (diet) => html`
<label for="${diet}">${mealWords[language][diet]}</label>${numberInput(diet, number(diet, guest[diet]), 0)}`,
  )}</div>
<label class="over hint" for="allergies">${say.allergies}</label>
<input type="text" id="allergies" name="allergies" maxlength="${LENGTHS.allergies}" placeholder="${say.allergiesHint}" value="${typed?.get('allergies') ?? guest.allergies}">
</fieldset>`;
}

function numberField(name: string, label: string, value: number | string, least: number): Html {
  return html`<label class="over" for="${name}">${label}</label>
${numberInput(name, value, least)}`;
}

function numberInput(name: string, value: number | string, least: number): Html {
  return html`<input type="number" id="${name}" name="${name}" inputmode="numeric" min="${least}" max="${LARGEST_PARTY}" value="${value}"${least === 0 && html` placeholder="0"`}>`;
}
