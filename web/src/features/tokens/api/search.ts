import { SCOPES } from './scopes.ts';

/**
 * Search parameters of the tokens page's address, with which another page opens the form for a new token: the scope
 * that is selected, and the application to which the token is restricted.
 */
export interface TokenSearch {
  scope?: (typeof SCOPES)[number] | undefined;
  application?: string | undefined;
}

export function readTokenSearch({ scope, application }: Record<string, unknown>): TokenSearch {
  return {
    scope: SCOPES.find((one) => one === scope),
    application: typeof application === 'string' ? application : undefined,
  };
}
