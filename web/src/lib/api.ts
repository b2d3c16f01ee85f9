import { connect } from 'simcha-client';
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

/** `fetch`, which says of each try whether the server was reached: the client tries again before it says that it failed. */
const ask: typeof fetch = async (input, init) => {
  const { method, signal } = input instanceof Request ? input : new Request(input, init);
  try {
    const response = await fetch(input, init);
    const isAway = AWAY.includes(response.status);
    // What can't be written now, such as on a full disk, may still be read.
    if (!isAway || method === 'GET') noteReached(!isAway);
    return response;
  } catch (error) {
    if (error instanceof Error) noteUnanswered(error);
    // What the page itself has left says nothing of the server.
    if (!signal.aborted) noteReached(false);
    throw error;
  }
};

/** The server that this page came from, as whoever has signed in here; nothing else is ever asked. */
export const client = connect({ csrf: () => csrfToken, fetch: ask });

client.interceptors.request.use((request) => {
  request.headers.set('accept-language', languageOfPage());
  return request;
});
