/** BX9: the built manifests ask for exactly what docs/browser-extension.md explains, and two builds give the same bytes. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const BUILD = join(import.meta.dirname, '../../build/build-extension.mjs');
const LARGEST_BYTES = 1.5 * 1024 * 1024;
const folders: string[] = [];
let out = '';

function build(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pb-extension-'));
  folders.push(folder);
  execFileSync(process.execPath, [BUILD, `--out=${folder}`]);
  return folder;
}

// On a busy machine a build takes half a minute.
beforeAll(() => {
  out = build();
}, 120_000);
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const manifestOf = (target: string) =>
  JSON.parse(readFileSync(join(out, target, 'manifest.json'), 'utf8')) as Record<string, unknown>;
const FIREFOX = ['activeTab', 'alarms', 'clipboardWrite', 'idle', 'scripting', 'storage'];
const HOSTS = ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'];

test.each([
  ['chromium', [...FIREFOX, 'offscreen']],
  ['firefox', FIREFOX],
])('BX9 permissions of %s', (target, permissions) => {
  const manifest = manifestOf(target);
  expect(manifest).toMatchObject({ manifest_version: 3, permissions, optional_host_permissions: HOSTS });
  for (const absent of ['host_permissions', 'content_scripts', 'web_accessible_resources', 'externally_connectable'])
    expect(manifest).not.toHaveProperty(absent);
  expect(manifest['content_security_policy']).toEqual({
    extension_pages:
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src https: http://localhost:* http://127.0.0.1:*; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types pb-worker",
  });
});

test('packages are small, and the same tree gives the same bytes', () => {
  const again = build();
  const zips = readdirSync(out).filter((name) => name.endsWith('.zip'));
  expect(zips).toHaveLength(3);
  const digest = (folder: string, zip: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, zip)))
      .digest('hex');
  for (const zip of zips) expect(digest(again, zip)).toBe(digest(out, zip));
  for (const zip of zips.filter((name) => !name.includes('source')))
    expect(statSync(join(out, zip)).size).toBeLessThanOrEqual(LARGEST_BYTES);
});
