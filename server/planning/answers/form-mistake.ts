import { FieldProblem } from '../../kernel/fields.ts';
import { type Html, html } from '../../kernel/html.ts';
import { type LanguageName, languageCodeOf } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { DIETS, LARGEST_PARTY } from '../guests/fields.ts';
import type { GuestPageWords } from './messages.ts';
import { NO_MAIL } from './open-link-limits.ts';

/** Mistake in a form that a guest has sent, and the form's field that has the mistake. */
export interface FormMistake {
  problem: keyof GuestPageWords['problems'] | 'full';
  field: string;
  /** Maximum number of the guest's people who can still come, if the problem of the form is `full`. */
  most?: number;
  /**
   * Sentence in the page's language instead of the usual one, such as one about the numbers in the form that do not fit
   * together. Some mistakes have no such sentence.
   */
  detail?: string;
}

const PROBLEMS: Readonly<Record<string, FormMistake['problem']>> = {
  rsvp_status: 'status',
  coming: 'coming',
  coming_children: 'children',
  ...Object.fromEntries(DIETS.map((diet) => [diet, 'meals' as const])),
  meal: 'meal',
  members: 'names',
  name: 'name',
  phone: 'phone',
  email: 'email',
};

/** Mistakes in a form with an error message of their own, instead of the usual one of their field. */
const SECOND_PROBLEMS: Readonly<Record<string, FormMistake['problem']>> = {
  'name too_long': 'nameLong',
  'phone missing': 'contact',
};
/** Mistakes whose error message is written for the form that has them, with the numbers in that form. */
const WITH_OWN_SENTENCE: ReadonlySet<FormMistake['problem']> = new Set([
  'meals',
  'coming',
  'children',
  'names',
]);

/** Converts an error to the mistake that a guest can correct in the form; undefined for any other error. */
export function mistakeOf(error: unknown, language: LanguageName): FormMistake | undefined {
  if (error instanceof Refusal) {
    const words = error.words[languageCodeOf(language)];
    if (error.code === NO_MAIL) return { problem: 'email', field: 'email', detail: words };
    if (error.code !== 'full') return undefined;
    const { up_to: most, may_bring } = (error.more.body ?? {}) as {
      up_to?: number;
      may_bring?: number | null;
    };
    const isBeyondParty = typeof may_bring === 'number';
    const own = isBeyondParty && words;
    return { problem: 'full', field: 'coming', ...(most && { most }), ...(own && { detail: own }) };
  }
  if (!(error instanceof FieldProblem)) return undefined;
  const { complaint } = error;
  // Mistakes in any row for a person of the party share one error message, because a row's number in the form is not
  // the person's number in the answer.
  const field = error.field.startsWith('members') ? 'members' : error.field;
  const isMore = field === 'coming' && complaint.kind === 'integer' && complaint.most < LARGEST_PARTY;
  const other = field.startsWith('answers.') ? 'answers' : 'text';
  const problem = isMore
    ? 'fewer'
    : (SECOND_PROBLEMS[`${field} ${complaint.kind}`] ?? PROBLEMS[field] ?? other);
  const own =
    WITH_OWN_SENTENCE.has(problem) && complaint.kind === 'own' && complaint.words[languageCodeOf(language)];
  return { problem, field, ...(own && { detail: own }) };
}

function sentence({ problem, most = LARGEST_PARTY, detail }: FormMistake, say: GuestPageWords): string {
  if (detail) return detail;
  return problem === 'full' ? say.upTo(most) : say.problems[problem];
}

/** Error summary at the top of a guest's page, with a link to the form's field that has the mistake. */
export function mistakeSummary(mistake: FormMistake | undefined, say: GuestPageWords): Html | undefined {
  return (
    mistake &&
    html`<p class="note bad" role="alert" tabindex="-1" autofocus><a href="#${mistake.field}">${sentence(mistake, say)}</a></p>`
  );
}

/** HTML attributes for a form field, with which screen readers read the error message together with the field. */
export function mistakeAttributes(mistake: FormMistake | undefined, field: string): Html | false {
  return mistake?.field === field && html` aria-invalid="true" aria-describedby="${field}-problem"`;
}

/** Error message next to a field of a guest's form; nothing if the field has no mistake. */
export function fieldComplaint(
  mistake: FormMistake | undefined,
  field: string,
  say: GuestPageWords,
): Html | undefined {
  if (mistake?.field !== field) return undefined;
  return html`<p class="problem" id="${field}-problem">${sentence(mistake, say)}</p>`;
}
