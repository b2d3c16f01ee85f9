import { connect, type OnAttempt, type Progress, withUploadProgress } from 'simcha-client';
import { languageOfPage } from './page-language.ts';
import { markUnreachable } from './problems.ts';
import { setServerReachable } from './server-reachability.ts';

let csrfToken: string | undefined;

/** Sets the session's CSRF token, which the client sends with every change. */
export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** HTTP statuses of a proxy whose server is away, or of a server whose database is away. */
const AWAY = [502, 503];

/**
 * Records after each try of a call whether the server answered. The client repeats a failed request before it gives up.
 */
const onAttempt: OnAttempt = ({ method, signal }, outcome) => {
  if (outcome instanceof Error) {
    markUnreachable(outcome);
    // A request that the page itself aborted does not tell whether the server can be reached.
    if (!signal.aborted) setServerReachable(false);
    return;
  }
  const isAway = AWAY.includes(outcome.status);
  // A full disk makes changes fail with the same statuses as an unreachable server, while reads still work.
  if (!isAway || method === 'GET') setServerReachable(!isAway);
};

/** API client with the session of the signed-in user. It calls only the server that delivered this page. */
export const client = connect({ csrf: () => csrfToken, onAttempt });

/** Options with which an upload reports its progress. */
export const withProgress = (progress: (progress: Progress) => void) =>
  withUploadProgress(progress, onAttempt);

client.interceptors.request.use((request) => {
  request.headers.set('accept-language', languageOfPage());
  return request;
});
