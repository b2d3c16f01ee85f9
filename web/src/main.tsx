import './lib/plain-http.ts';
import { setNonce } from 'get-nonce';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { readSession } from 'simcha-client';
import './app/styles.ts';
import { App, createQueries } from './app/app.tsx';
import { lightOnPaper } from './app/light-on-paper.ts';
import { createConsoleRouter, PENDING_MS } from './app/router.tsx';
import { registerServiceWorker } from './app/service-worker.ts';
import { client } from './lib/api.ts';
import { readStored, writeStored } from './lib/stored-value.ts';

// Nonce for styles that are added at run time, such as those that lock scrolling behind a dialog: the page's security
// policy allows no others.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.nonce ?? '';
setNonce(nonce);

// A chunk of the console's code can be missing after an update of the server: the page then reloads, at most once in
// ten seconds. It reloads only if the server answers: without a network, the browser would replace the console by an
// error page of its own.
const SOON_MS = 10_000;
addEventListener('vite:preloadError', () => {
  if (Date.now() - (readStored<number>('reloaded-at') ?? 0) < SOON_MS) return;
  const reload = () => {
    writeStored('reloaded-at', Date.now());
    location.reload();
  };
  readSession({ client }).then(reload, () => {});
});

const place = document.getElementById('app');
if (!place) throw new Error('The page has no place for the console.');
const queries = createQueries();
const router = createConsoleRouter(queries);
const root = createRoot(place);
const render = () =>
  startTransition(() =>
    root.render(
      <StrictMode>
        <App queries={queries} router={router} nonce={nonce} />
      </StrictMode>,
    ),
  );
// The page is rendered once, when its code and data are there, or before them with placeholders if they take long. A
// transition renders it in small steps, between which the browser can react.
const isLate = new Promise((resolve) => setTimeout(resolve, PENDING_MS));
Promise.race([router.load(), isLate]).then(render, render);
lightOnPaper();
registerServiceWorker();
