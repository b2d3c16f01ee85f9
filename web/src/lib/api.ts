import { connect, type Progress, type Tried, telling } from 'simcha-client';
import { languageOfPage } from './page-language.ts';
import { noteUnanswered } from './problems.ts';
import { noteReached } from './reached.ts';

let csrfToken: string | undefined;

/** Sets the session's CSRF token, which is sent with every change. */
export function keepCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** Statuses that come from a proxy before the server, or from a server without its database. */
const AWAY = [502, 503];

/** Notes for each try whether the server answered. The client tries again before it gives up. */
const tried: Tried = ({ method, signal }, outcome) => {
  if (outcome instanceof Error) {
    noteUnanswered(outcome);
    // Requests that the page itself aborted say nothing about the server.
    if (!signal.aborted) noteReached(false);
    return;
  }
  const isAway = AWAY.includes(outcome.status);
  // A full disk makes changes fail with the same statuses, while reads still work.
  if (!isAway || method === 'GET') noteReached(!isAway);
};

/**
 * Client for the server that delivered this page, with the session of the signed-in user. No other server is ever
 * called.
 */
export const client = connect({ csrf: () => csrfToken, tried });

/** Options for a call that uploads and reports its progress. */
export const withProgress = (progress: (progress: Progress) => void) => telling(progress, tried);

client.interceptors.request.use((request) => {
  request.headers.set('accept-language', languageOfPage());
  return request;
});
