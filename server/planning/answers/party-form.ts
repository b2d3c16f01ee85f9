import { Html, html } from '../../kernel/html.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { DIETS, type Diet, LARGEST_PARTY, LENGTHS, NO_DETAILS } from '../guests/fields.ts';
import { mealWords, oneMealWords } from '../guests/meal-words.ts';
import { usualChildren, usualPeople } from '../guests/members.ts';
import { type FormMistake, fieldComplaint, mistakeAttributes } from './form-mistake.ts';
import { MEAL_FIELD, mealsOffered } from './meals.ts';
import {
  EACH_ROW,
  expectedRows,
  hasRowForEach,
  isFilled,
  type MemberRow,
  MOST_BLANK_ROWS,
  memberRows,
  rowField,
  rowsInForm,
} from './member-rows.ts';
import { guestPageWords } from './messages.ts';
import type { InvitedEvent, InvitedGuest } from './store.ts';

/** Form fields for the people of a party and their meals. */

/** Data of a guest's party that the form shows. */
export type PartyFormValues = Pick<
  InvitedGuest,
  'name' | 'party_size' | 'coming' | 'coming_children' | 'allergies' | 'members' | Diet
>;

/** Initial values of the party's form for a person who is not on the guest list. */
export const ONE_PERSON: PartyFormValues = { ...NO_DETAILS, name: '', coming: 1, coming_children: 0 };

/**
 * Initial values of a guest's form: the people in their answer or, if they have not said yes, the people who were
 * invited.
 */
export function partyFormValues(guest: InvitedGuest): PartyFormValues {
  if (guest.coming > 0) return guest;
  const coming = usualPeople(guest.party_size, guest.members);
  return { ...guest, coming, coming_children: usualChildren(coming, guest) };
}

interface PartyForm {
  event: InvitedEvent;
  party: PartyFormValues;
  /** True if the form asks for the name of the first person elsewhere. Their row then has no field for it. */
  isFirstNamed?: boolean;
  /** Maximum number of people that the guest can enter for the party. */
  most?: number;
  /** Hint below the form's field for the number of people. */
  hint?: string;
  /** Values of a form that the server refused, which the page shows again. */
  typed: URLSearchParams | undefined;
  mistake: FormMistake | undefined;
  language: LanguageName;
}

/**
 * Form fields that the event asks for. Each shows the value that the guest typed into a refused form, or else the
 * stored value; a 0 is shown as empty.
 */
export function partyFields({ most = LARGEST_PARTY, ...asking }: PartyForm): Html[] {
  const { event, party, hint, typed, mistake, language } = asking;
  const say = guestPageWords[language];
  const known = (field: 'coming' | 'coming_children' | Diet) => ({
    name: field,
    value: typed?.get(field) ?? (party[field] > 0 ? party[field] : ''),
    least: field === 'coming' ? 1 : 0,
    most,
  });
  const field = (name: 'coming' | 'coming_children', label: string) => html`
<div><label class="over" for="${name}">${label}</label>
${numberInput(known(name), mistake)}
${fieldComplaint(mistake, name, say)}</div>`;
  // A form with a row for each person counts children and meals from the rows.
  const isByRow =
    event.names_asked && hasRowForEach(asking.isFirstNamed ? { ...party, coming: most } : party);
  const people = html`
<fieldset class="coming"><div class="numbers">${field('coming', say.howMany)}${event.children_asked && !isByRow && field('coming_children', say.children)}
</div>${hint && html`<p class="hint">${hint}</p>`}</fieldset>`;
  const meals = html`
<p class="hint">${say.foodHint}</p>
<div class="meals">${mealsOffered(event, party).map(
    (diet) => html`
<label for="${diet}">${mealWords[language][diet]}</label>${numberInput(known(diet), mistake)}
${fieldComplaint(mistake, diet, say)}`,
  )}</div>`;
  const allergies = html`
<label class="over hint" for="allergies">${say.allergies}</label>
<input type="text" id="allergies" name="allergies" maxlength="${LENGTHS.allergies}" placeholder="${say.allergiesHint}" value="${typed?.get('allergies') ?? party.allergies}"${mistakeAttributes(mistake, 'allergies')}>
${fieldComplaint(mistake, 'allergies', say)}`;
  const food = html`
<fieldset class="coming"><legend>${say.food}</legend>${most === 1 && eatsOne(asking) ? oneMeal(asking) : meals}${allergies}
</fieldset>`;
  const otherAllergies = party.allergies !== null && html`<fieldset class="coming">${allergies}</fieldset>`;
  return [
    ...(most > 1 ? [people] : []),
    ...(event.names_asked ? [peopleRows({ ...asking, most }, isByRow)] : []),
    ...(event.food_asked ? [isByRow ? otherAllergies : food] : []),
  ].filter((part) => part !== false);
}

/**
 * Rows of the people who come: their names and, if `isByRow`, who is a child, and what each eats. Rows for people beyond
 * those who are expected are folded up.
 */
function peopleRows(asking: PartyForm, isByRow: boolean): Html {
  const { event, party, most = 1, isFirstNamed = false, typed, mistake, language } = asking;
  const say = guestPageWords[language];
  const inForm = typed ? rowsInForm(typed, party.members) : [];
  const rows =
    inForm.length > 0 ? inForm : memberRows(party, most, isFirstNamed ? MOST_BLANK_ROWS : undefined);
  const expected = expectedRows({ ...party, coming: Number(typed?.get('coming')) || party.coming });
  const isSpare = (_: MemberRow, index: number) => index >= expected;
  const box = (name: string, label: string, checked: boolean) => html`
<label class="check"><input type="checkbox" name="${name}" value="yes"${checked && new Html(' checked')}> ${label}</label>`;
  const food = (meal: string, chosen: Diet | null, allergies: string, typedAllergies: string | null) => html`
<div class="food"><div><label class="over hint" for="${meal}">${say.whichMeal}</label>
<select id="${meal}" name="${meal}">${mealOption('', say.usualMeal, chosen ?? '')}${mealsOffered(event, party).map((diet) => mealOption(diet, oneMealWords[language][diet], chosen ?? ''))}</select></div>
<div><label class="over hint" for="${allergies}">${say.allergies}</label>
<input type="text" id="${allergies}" name="${allergies}" maxlength="${LENGTHS.allergies}" value="${typedAllergies}"></div></div>`;
  const row = ({ id, name, child, meal, allergies, coming }: MemberRow, index: number) => {
    const field = (one: keyof MemberRow) => rowField(index, one);
    if (isFirstNamed && index === 0) {
      const hidden = html`<input type="hidden" name="${field('name')}" value="">`;
      if (!isByRow || !event.food_asked) return hidden;
      return html`
<div class="person">${hidden}<div class="head"><b class="over">${say.yourself}</b></div>
${food(field('meal'), meal, field('allergies'), allergies)}</div>`;
    }
    return html`
<div class="person"><input type="hidden" name="${field('id')}" value="${id}">
<div class="head"><label class="over" for="${field('name')}">${say.person(index + 1)}</label>
${id !== '' && box(field('coming'), say.isComing, coming)}${isByRow && event.children_asked && box(field('child'), say.isChild, child)}</div>
<input type="text" id="${field('name')}" name="${field('name')}" autocomplete="off" maxlength="${LENGTHS.name}" value="${name}">
${isByRow && event.food_asked && food(field('meal'), meal, field('allergies'), allergies)}</div>`;
  };
  const areSpareFilled = rows.some((one, index) => isSpare(one, index) && isFilled(one));
  const spareRows = html`
<details${areSpareFilled && new Html(' open')}><summary>${say.othersCome}</summary><p class="hint">${say.othersHint}</p>
${rows.map((one, index) => isSpare(one, index) && row(one, index))}</details>`;
  return html`
<fieldset class="coming" id="members" tabindex="-1"${mistakeAttributes(mistake, 'members')}><legend>${say.whoComes}</legend>
<p class="hint">${say.namesHint}</p>${fieldComplaint(mistake, 'members', say)}
${isByRow && html`<input type="hidden" name="${EACH_ROW}" value="yes">`}${rows.map((one, index) => !isSpare(one, index) && row(one, index))}${rows.some(isSpare) && spareRows}
</fieldset>`;
}

function mealOption(value: string, text: string, chosen: string): Html {
  return html`<option value="${value}"${value === chosen && new Html(' selected')}>${text}</option>`;
}

/**
 * True if the stored meals of a guest who comes alone can be expressed by one choice from a list. An organizer may have
 * noted two meals, and a form without the list may have sent numbers.
 */
function eatsOne({ party, typed }: PartyForm): boolean {
  const noted = DIETS.reduce((sum, diet) => sum + party[diet], 0);
  const isChilds = party.childrens_meals <= party.coming_children;
  return noted <= 1 && isChilds && !DIETS.some((diet) => typed?.has(diet));
}

function oneMeal({ event, party, typed, mistake, language }: PartyForm): Html {
  const say = guestPageWords[language];
  const chosen = typed?.get(MEAL_FIELD) ?? DIETS.find((diet) => party[diet] > 0) ?? '';
  // The meal for children is offered to a guest who comes alone only if the organizer noted that the guest is a child.
  const asked = mealsOffered(event, party).filter(
    (diet) => diet !== 'childrens_meals' || party.coming_children > 0,
  );
  const option = (value: string, text: string) => mealOption(value, text, chosen);
  return html`
<label class="over hint" for="${MEAL_FIELD}">${say.whichMeal}</label>
<select id="${MEAL_FIELD}" name="${MEAL_FIELD}"${mistakeAttributes(mistake, MEAL_FIELD)}>${option('', say.usualMeal)}${asked.map((diet) => option(diet, oneMealWords[language][diet]))}</select>
${fieldComplaint(mistake, MEAL_FIELD, say)}`;
}

interface NumberField {
  name: string;
  value: number | string;
  least: number;
  most: number;
}

function numberInput({ name, value, least, most }: NumberField, mistake: FormMistake | undefined): Html {
  return html`<input type="number" id="${name}" name="${name}" inputmode="numeric" min="${least}" max="${most}" value="${value}"${least === 0 && html` placeholder="0"`}${mistakeAttributes(mistake, name)}>`;
}
