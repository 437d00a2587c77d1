/** Serves the client's files offline (docs/spec/product.md §1). API responses are never cached. */
import { addressOfShared } from '../app/launch/launch.ts';
import { routeOf } from './shell-routes.ts';
import { type Build, createShell } from './shell.ts';

declare const self: ServiceWorkerGlobalScope;

/** Filled in by the build (`build/service-worker.ts`). */
declare const BUILD: Build & { readonly entry: string };

const shell = createShell(BUILD);
const paths = new Set(BUILD.files.map(({ url }) => url));

/** A page compares it with its own build. */
const kept = { type: 'kept build', entry: BUILD.entry };

self.addEventListener('install', (event) => {
  // Pages of the former build keep their files, so activation need not wait for them.
  event.waitUntil(shell.install(event).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      await shell.dropOlderBuilds();
      await self.clients.claim();
      for (const client of await self.clients.matchAll({ type: 'window' })) client.postMessage(kept);
    })(),
  );
});

self.addEventListener('message', ({ source, data }) => {
  if (source !== null && data === 'which build') source.postMessage(kept);
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  switch (routeOf(request, self.location.origin, paths)) {
    case 'shared':
      event.respondWith(request.formData().then((form) => Response.redirect(addressOfShared(form), 303)));
      break;
    case 'page':
      event.respondWith(shell.page({ request, waitUntil: (work) => event.waitUntil(work) }));
      break;
    case 'hashed file':
      event.respondWith(shell.hashedFile(request));
      break;
    case 'other file':
      event.respondWith(shell.otherFile(request));
      break;
    case 'network':
      break;
  }
});
