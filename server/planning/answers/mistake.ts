import { FieldProblem } from '../../kernel/fields.ts';
import { type Html, html } from '../../kernel/html.ts';
import { codeOf, type LanguageName } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { DIETS, LARGEST_PARTY } from '../guests/fields.ts';
import type { Words } from './messages.ts';

/** What of a form could not be taken, and the field that it is about. */
export interface Mistake {
  problem: keyof Words['problems'] | 'full';
  field: string;
  /** Of `full`: for how many there is room. */
  most?: number;
  /** With the numbers it is about, in the page's language. */
  said?: string;
}

const PROBLEMS: Readonly<Record<string, Mistake['problem']>> = {
  rsvp_status: 'status',
  coming: 'coming',
  coming_children: 'children',
  ...Object.fromEntries(DIETS.map((diet) => [diet, 'meals' as const])),
  meal: 'meal',
  name: 'name',
  phone: 'phone',
  email: 'email',
};

/** Of fields in which more than one thing is wrong. */
const ALSO: Readonly<Record<string, Mistake['problem']>> = {
  'name too_long': 'nameLong',
  'phone missing': 'contact',
};
/** What is said of these in words of its own says it better. */
const SAID: ReadonlySet<Mistake['problem']> = new Set(['meals', 'coming']);

/** What a guest can mend; anything else is not about the form. */
export function mistakeOf(error: unknown, language: LanguageName): Mistake | undefined {
  if (error instanceof Refusal) {
    const { up_to: most } = (error.more.body ?? {}) as { up_to?: number };
    return error.code === 'full' ? { problem: 'full', field: 'coming', ...(most && { most }) } : undefined;
  }
  if (!(error instanceof FieldProblem)) return undefined;
  const { field, complaint: said } = error;
  const isMore = field === 'coming' && said.kind === 'integer' && said.most < LARGEST_PARTY;
  const other = field.startsWith('answers.') ? 'answers' : 'text';
  const problem = isMore ? 'fewer' : (ALSO[`${field} ${said.kind}`] ?? PROBLEMS[field] ?? other);
  const own = SAID.has(problem) && said.kind === 'own' && said.words[codeOf(language)];
  return { problem, field, ...(own && { said: own }) };
}

function sentence({ problem, most = LARGEST_PARTY, said }: Mistake, say: Words): string {
  if (said) return said;
  return problem === 'full' ? say.upTo(most) : say.problems[problem];
}

/** Above the form, where the page begins to be read; it leads to the field. */
export function summary(mistake: Mistake | undefined, say: Words): Html | undefined {
  return (
    mistake &&
    html`<p class="note bad" role="alert" tabindex="-1" autofocus><a href="#${mistake.field}">${sentence(mistake, say)}</a></p>`
  );
}

/** In the tag of a field, so that who hears the page hears with the field what is wrong with it. */
export function marks(mistake: Mistake | undefined, field: string): Html | false {
  return mistake?.field === field && html` aria-invalid="true" aria-describedby="${field}-problem"`;
}

/** Beside the field. */
export function complaint(mistake: Mistake | undefined, field: string, say: Words): Html | undefined {
  if (mistake?.field !== field) return undefined;
  return html`<p class="problem" id="${field}-problem">${sentence(mistake, say)}</p>`;
}
