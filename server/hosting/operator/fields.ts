import * as fieldTypes from '../../kernel/field-types.ts';
import { RESOURCES, type Resource } from '../budgets/budget.ts';

const MOST = 2 ** 24;

const amount = { type: fieldTypes.orNull(fieldTypes.wholeNumber(0, MOST)), empty: null };

/** Limits of one developer that an operator may change; null: the default from the settings. */
export const budgetFields = Object.fromEntries(RESOURCES.map((resource) => [resource, amount])) as Record<
  Resource,
  typeof amount
>;
