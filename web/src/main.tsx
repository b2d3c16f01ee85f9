import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app/styles.ts';
import { App } from './app/app.tsx';

// The page's policy lets in styles with its nonce alone; what locks the page behind a dialog makes one.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.nonce ?? '';
setNonce(nonce);

const place = document.getElementById('app');
if (!place) throw new Error('The page has no place for the console.');
createRoot(place).render(
  <StrictMode>
    <App nonce={nonce} />
  </StrictMode>,
);
