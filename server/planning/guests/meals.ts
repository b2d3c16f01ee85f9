import { type RawBuilder, sql } from 'kysely';
import type { Guest } from './contract.ts';
import { DIETS, type Diet } from './fields.ts';
import { COMES, PEOPLE } from './tags.ts';

/** What is noted of a guest's meals, and how much of it is eaten: nobody eats two. */

export type Noted = Pick<Guest, Diet | 'coming' | 'coming_children'>;

const OTHERS = DIETS.filter((diet) => diet !== 'childrens_meals');

export const CHILDREN = sql`case when ${COMES} then guests.coming_children else 0 end`;

const eatenByChildren = sql`least(guests.childrens_meals, ${CHILDREN})`;

/**
 * Of a guest's row: the meals of a kind that are eaten, whatever stood there before fewer came. Children's meals are no
 * more than children; the other kinds, in their order, no more than the people that leaves.
 */
export function eaten(diet: Diet): RawBuilder<unknown> {
  if (diet === 'childrens_meals') return eatenByChildren;
  const before = OTHERS.slice(0, OTHERS.indexOf(diet)).map((one) => sql.ref(`guests.${one}`));
  const left = sql.join([PEOPLE, eatenByChildren, ...before], sql` - `);
  return sql`greatest(least(${sql.ref(`guests.${diet}`)}, ${left}), 0)`;
}

/** Whether more is noted of somebody who comes than is eaten. */
export function isBeyondPeople(noted: Noted): boolean {
  const { coming, coming_children, childrens_meals } = noted;
  return coming > 0 && (mealsIn(noted) > coming || childrens_meals > coming_children);
}

export function mealsIn(meals: Readonly<Record<Diet, number>>, kinds: readonly Diet[] = DIETS): number {
  return kinds.reduce((sum, diet) => sum + meals[diet], 0);
}
