import { type RawBuilder, sql } from 'kysely';
import type { Guest } from './contract.ts';
import { DIETS, type Diet } from './fields.ts';
import { IS_COMING, PEOPLE_COMING } from './tags.ts';

/** Special meals of a guest's party. The numbers of meals include at most one meal a person. */

export type GuestMeals = Pick<Guest, Diet | 'coming' | 'coming_children'>;

const OTHERS = DIETS.filter((diet) => diet !== 'childrens_meals');

export const CHILDREN_COMING = sql`case when ${IS_COMING} then guests.coming_children else 0 end`;

const ofChildren = sql`least(guests.childrens_meals, ${PEOPLE_COMING})`;

/**
 * SQL expression for the counted meals of one kind in a guest's row. Meals beyond the number of people coming are not
 * counted: children's meals come first, then the other kinds in their order. Children's meals are not limited by
 * `coming_children`, because imported lists often have the meals without the number of children.
 */
export function countedMeals(diet: Diet): RawBuilder<unknown> {
  if (diet === 'childrens_meals') return ofChildren;
  const before = OTHERS.slice(0, OTHERS.indexOf(diet)).map((one) => sql.ref(`guests.${one}`));
  const left = sql.join([PEOPLE_COMING, ofChildren, ...before], sql` - `);
  return sql`greatest(least(${sql.ref(`guests.${diet}`)}, ${left}), 0)`;
}

/** True if a guest who comes has more special meals than people. */
export function hasMoreMealsThanPeople(noted: GuestMeals): boolean {
  return noted.coming > 0 && countMeals(noted) > noted.coming;
}

export function countMeals(meals: Readonly<Record<Diet, number>>, kinds: readonly Diet[] = DIETS): number {
  return kinds.reduce((sum, diet) => sum + meals[diet], 0);
}
