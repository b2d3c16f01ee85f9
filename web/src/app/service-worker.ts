/** Paths of the console for signed-in users. No page for guests is below them. */
const SCOPES = ['/today', '/events', '/vendors', '/sites', '/settings'];
/** Delay before the service worker is installed, so that its files do not compete with those of the page. */
const AFTER_MS = 5_000;

/**
 * Registers the service worker, which keeps the console's files for times without a network. Its scope is the part of
 * the console that is open, such as `/events`. Browsers have service workers only on pages with TLS and on localhost.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  setTimeout(() => {
    const scope = SCOPES.find((path) => `${location.pathname}/`.startsWith(`${path}/`));
    if (scope) navigator.serviceWorker.register('/console/service-worker.js', { scope }).catch(() => {});
  }, AFTER_MS);
}
