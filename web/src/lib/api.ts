import { connect, type Progress, type Tried, telling } from 'simcha-client';
import { languageOfPage } from './page-language.ts';
import { noteUnanswered } from './problems.ts';
import { noteReached } from './reached.ts';

let csrfToken: string | undefined;

/** What the session has told: every change is sent with it. */
export function keepCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** Where what answers is what stands before the server, or a server without its database. */
const AWAY = [502, 503];

/** Before it is given up: the client tries again first. */
const tried: Tried = ({ method, signal }, outcome) => {
  if (outcome instanceof Error) {
    noteUnanswered(outcome);
    // What the page itself has left says nothing of the server.
    if (!signal.aborted) noteReached(false);
    return;
  }
  const isAway = AWAY.includes(outcome.status);
  // What can't be written now, such as on a full disk, may still be read.
  if (!isAway || method === 'GET') noteReached(!isAway);
};

/** The server that this page came from, as whoever has signed in here; nothing else is ever asked. */
export const client = connect({ csrf: () => csrfToken, tried });

/** For a call that uploads: tells how much of it is on its way. */
export const withProgress = (progress: (progress: Progress) => void) => telling(progress, tried);

client.interceptors.request.use((request) => {
  request.headers.set('accept-language', languageOfPage());
  return request;
});
