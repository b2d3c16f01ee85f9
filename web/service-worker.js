// Service worker of the console. It keeps the console's document and files, so that a tap without a network stays in the
// console. Everything else goes past it: data of the API, guests' pages, and all other hosts.

/** Name of the build, and its files by their paths; both are filled in by the build (service-worker-build.ts). */
const VERSION = '{{version}}';
const FILES = JSON.parse('{{files}}');
/** Script with which the document of this build begins. */
const ENTRY = '{{entry}}';

const PREFIX = 'console-';
const CACHE = PREFIX + VERSION;
/** Page whose document is the same for everybody. The console shows in it whatever page its address names. */
const SHELL = '/sign-in';

self.addEventListener('install', (event) => event.waitUntil(keepBuild()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin) return;
  if (mode === 'navigate') event.respondWith(documentFor(event));
  else if (pathname.startsWith('/console/assets/')) event.respondWith(asset(event.request));
  else if (pathname.startsWith('/console/')) event.respondWith(networkFirst(event.request, event.request));
});

async function keepBuild() {
  // Without the cookie, the document says nothing about the user.
  const shell = await fetch(SHELL, { credentials: 'omit', cache: 'no-store' });
  if (!shell.ok || !(await shell.clone().text()).includes(ENTRY))
    throw new Error('The server has another build of the console by now.');
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  await cache.put(SHELL, shell);
  await self.skipWaiting();
}

async function takeOver() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
  // The browser then asks for a document while the worker still starts.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** Document from the network, so that nobody stays on an old build; the kept one if there is no network. */
async function documentFor({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    return orThrow(await caches.match(SHELL), error);
  }
}

/** File whose name changes with its content. */
async function asset(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function networkFirst(request, kept) {
  try {
    return await fetch(request);
  } catch (error) {
    return orThrow(await caches.match(kept, { ignoreVary: true }), error);
  }
}

function orThrow(response, error) {
  if (!response) throw error;
  return response;
}
