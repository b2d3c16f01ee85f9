import { connect, type OnAttempt, type Progress, withUploadProgress } from 'simcha-client';
import { languageOfPage } from './page-language.ts';
import { markUnreachable } from './problems.ts';
import { setServerReachable } from './server-reachability.ts';

let csrfToken: string | undefined;

/** Sets the session's CSRF token, which is sent with every change. */
export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** Statuses that come from a proxy before the server, or from a server without its database. */
const AWAY = [502, 503];

/** Records after each attempt whether the server answered. The client repeats a failed request before it gives up. */
const onAttempt: OnAttempt = ({ method, signal }, outcome) => {
  if (outcome instanceof Error) {
    markUnreachable(outcome);
    // A request that the page itself aborted does not show whether the server can be reached.
    if (!signal.aborted) setServerReachable(false);
    return;
  }
  const isAway = AWAY.includes(outcome.status);
  // A full disk makes changes fail with the same statuses, while reads still work.
  if (!isAway || method === 'GET') setServerReachable(!isAway);
};

/** API client with the session of the signed-in user. It calls only the server that delivered this page. */
export const client = connect({ csrf: () => csrfToken, onAttempt });

/** Options for a call that uploads and reports its progress. */
export const withProgress = (progress: (progress: Progress) => void) =>
  withUploadProgress(progress, onAttempt);

client.interceptors.request.use((request) => {
  request.headers.set('accept-language', languageOfPage());
  return request;
});
