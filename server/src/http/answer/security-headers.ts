/** Headers of every answer, errors and files included (docs/spec/threats.md §3.2, W2-W4). */
import type { Config } from '../../config.ts';
import { sha256 } from '../../platform/secrets.ts';

/** Browser features by name; all off but those that the vault uses on its own pages. */
const OFF = [
  'accelerometer',
  'autoplay',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'sync-xhr',
  'usb',
  'xr-spatial-tracking',
];
const SELF = ['camera', 'clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get'];
const PERMISSIONS = [...OFF.map((name) => `${name}=()`), ...SELF.map((name) => `${name}=(self)`)].join(', ');

/** The one style that the client's component library adds by itself: `touch-action` of what can be pressed (W2: a hash, never 'unsafe-inline'). */
const REACT_ARIA_STYLE = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='";

/** Policy of pages and of everything else but the worker below. */
function contentPolicy(connectOrigins: readonly string[], importMap: string | null): string {
  return [
    "default-src 'none'",
    [
      "script-src 'self'",
      ...(importMap === null ? [] : [`'sha256-${sha256(Buffer.from(importMap)).toString('base64')}'`]),
    ].join(' '),
    `style-src 'self' ${REACT_ARIA_STYLE}`,
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connectOrigins].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types pb-worker',
  ].join('; ');
}

/** Policy of the worker that derives keys: it alone may compile WebAssembly, and it may load and reach nothing (W3). */
export const KDF_WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** Policy of the worker that estimates passwords: it gets secrets, so it reaches nothing. */
export const CLOSED_WORKER_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Policy of the worker that holds the keys. It starts the worker for derivations, and reaches nothing else. */
export const KEYRING_WORKER_POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'none'; require-trusted-types-for 'script'; trusted-types pb-worker";

/** Policy of the service worker: it fetches the client's own files and runs nothing besides itself. */
export const SERVICE_WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Of the page itself: it runs no script whose digest it, or its import map, does not name (W1). Workers cannot name any. */
export const PAGE_HEADERS = { 'integrity-policy': 'blocked-destinations=(script)' } as const;

/** @param importMap the one text that the built page has inside itself, where it has one */
export function securityHeaders(
  config: Pick<Config, 'publicUrl' | 'connectOrigins'>,
  importMap: string | null,
): Readonly<Record<string, string>> {
  const transport: Record<string, string> = config.publicUrl.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {};
  return {
    'content-security-policy': contentPolicy(config.connectOrigins, importMap),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'permissions-policy': PERMISSIONS,
    'x-frame-options': 'DENY',
    // Links are secrets here: no name of theirs is looked up before somebody follows one.
    'x-dns-prefetch-control': 'off',
    ...transport,
  };
}
