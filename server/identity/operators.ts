import type { User } from './store.ts';

/** True for a verified user whose mail address is one of the operators' (setting `OPERATORS`, in lower case). */
export function isOperator(
  operators: readonly string[],
  { email, verified }: Pick<User, 'email' | 'verified'>,
): boolean {
  return verified && operators.includes(email.toLowerCase());
}
