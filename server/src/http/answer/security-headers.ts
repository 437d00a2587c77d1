/** Security headers (docs/spec/threats.md §3.2, W2-W4). */
import type { Config } from '../../app/config.ts';
import { sha256 } from '../../platform/ids-and-digests.ts';

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

/** The style that React Aria injects; never 'unsafe-inline' (W2). */
const REACT_ARIA_STYLE = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='";

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

/** Only this worker compiles WebAssembly; it connects to nothing (W3). */
export const KDF_WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** Receives secrets; connects to nothing. */
export const CLOSED_WORKER_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Starts the key derivation worker; connects to nothing. */
export const KEYRING_WORKER_POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'none'; require-trusted-types-for 'script'; trusted-types pb-worker";

/** Fetches the client's files; runs no other script. */
export const SERVICE_WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Only scripts whose digest the page or its import map names (W1). Not for workers. */
export const PAGE_HEADERS = { 'integrity-policy': 'blocked-destinations=(script)' } as const;

/** @param importMap of the built page */
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
    // Link addresses are secrets: no DNS lookup before a click.
    'x-dns-prefetch-control': 'off',
    ...transport,
  };
}
