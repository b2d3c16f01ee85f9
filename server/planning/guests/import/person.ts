import type { Member } from '../fields.ts';

/** Fields of a member that a row of a list with one row a person gives; empty cells are left out. */
export type Person = Partial<Omit<Member, 'id'>>;
