import './lib/plain-http.ts';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app/styles.ts';
import { App } from './app/app.tsx';
import { readStored, writeStored } from './lib/stored-value.ts';

// The page's policy lets in styles with its nonce alone; what locks the page behind a dialog makes one.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.nonce ?? '';
setNonce(nonce);

// A server that was brought up to date has other files than this page was made of: it is made anew, and not again at once.
const SOON_MS = 10_000;
addEventListener('vite:preloadError', (event) => {
  if (Date.now() - (readStored<number>('reloaded-at') ?? 0) < SOON_MS) return;
  event.preventDefault();
  writeStored('reloaded-at', Date.now());
  location.reload();
});

const place = document.getElementById('app');
if (!place) throw new Error('The page has no place for the console.');
createRoot(place).render(
  <StrictMode>
    <App nonce={nonce} />
  </StrictMode>,
);
