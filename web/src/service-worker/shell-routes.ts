/** What the service worker answers itself, and in which order it asks. Everything else goes to the network as if there were no worker. */

/** Addresses of the server that are no page of the client: never answered, never kept. */
const OF_SERVER = [
  '/passwordBroker/api',
  '/identity/api',
  '/system/api',
  '/sanctum',
  '/import',
  '/health',
  '/ready',
  '/metrics',
];

export type ShellRoute =
  /** A page of the client: the server's own answer, the kept page where none comes. */
  | 'page'
  /** Its name changes with its content: the kept one is the right one. */
  | 'hashed file'
  /** The server's own answer, the kept file where none comes. */
  | 'other file'
  | 'network';

interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/** @param files paths of the client's files, such as `/theme.js` */
export function routeOf({ method, mode, url }: Asked, origin: string, files: ReadonlySet<string>): ShellRoute {
  const { origin: asked, pathname } = new URL(url);
  if (method !== 'GET' || asked !== origin) return 'network';
  if (OF_SERVER.some((path) => pathname === path || pathname.startsWith(`${path}/`))) return 'network';
  // Hashed files of an earlier build are not in the list, and are still kept for pages of that build.
  if (pathname.startsWith('/assets/')) return 'hashed file';
  if (mode === 'navigate') return 'page';
  return files.has(pathname) ? 'other file' : 'network';
}
