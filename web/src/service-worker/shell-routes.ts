/** Paths of the server: never answered, never cached. */
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
  /** What another app shares, as the manifest names it. The worker answers; without one the server receives it. */
  | 'shared'
  /** Network first, then the cached page. */
  | 'page'
  /** The name contains a hash of the content: cache first. */
  | 'hashed file'
  /** Network first, then the cached file. */
  | 'other file'
  | 'network';

const SHARED = '/share';

interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/** @param files paths such as `/theme.js` */
export function routeOf({ method, mode, url }: Asked, origin: string, files: ReadonlySet<string>): ShellRoute {
  const { origin: asked, pathname } = new URL(url);
  if (asked !== origin) return 'network';
  if (method === 'POST' && mode === 'navigate' && pathname === SHARED) return 'shared';
  if (method !== 'GET') return 'network';
  if (OF_SERVER.some((path) => pathname === path || pathname.startsWith(`${path}/`))) return 'network';
  // Files of an earlier build are not in the list, but may be cached for its pages.
  if (pathname.startsWith('/assets/')) return 'hashed file';
  if (mode === 'navigate') return 'page';
  return files.has(pathname) ? 'other file' : 'network';
}
