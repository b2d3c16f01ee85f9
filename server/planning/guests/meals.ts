import { type RawBuilder, sql } from 'kysely';
import type { Guest } from './contract.ts';
import { DIETS, type Diet } from './fields.ts';
import { COMES, PEOPLE } from './tags.ts';

/** What is noted of a guest's meals, and how much of it is eaten: nobody eats two. */

export type Noted = Pick<Guest, Diet | 'coming' | 'coming_children'>;

const OTHERS = DIETS.filter((diet) => diet !== 'childrens_meals');

export const CHILDREN = sql`case when ${COMES} then guests.coming_children else 0 end`;

const ofChildren = sql`least(guests.childrens_meals, ${PEOPLE})`;

/**
 * Of a guest's row: the meals of a kind that are eaten, whatever stood there before fewer came: children's, then the others
 * in their order, no more than people. Lists name children's meals without a word of how many are children.
 */
export function eaten(diet: Diet): RawBuilder<unknown> {
  if (diet === 'childrens_meals') return ofChildren;
  const before = OTHERS.slice(0, OTHERS.indexOf(diet)).map((one) => sql.ref(`guests.${one}`));
  const left = sql.join([PEOPLE, ofChildren, ...before], sql` - `);
  return sql`greatest(least(${sql.ref(`guests.${diet}`)}, ${left}), 0)`;
}

/** Whether more is noted of somebody who comes than is eaten. */
export function isBeyondPeople(noted: Noted): boolean {
  return noted.coming > 0 && mealsIn(noted) > noted.coming;
}

export function mealsIn(meals: Readonly<Record<Diet, number>>, kinds: readonly Diet[] = DIETS): number {
  return kinds.reduce((sum, diet) => sum + meals[diet], 0);
}
