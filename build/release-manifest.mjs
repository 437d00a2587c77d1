/** `release.json`: the SHA-256 of every file of the built web client. The same tree gives the same file (docs/spec/threats.md §3.2). */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from '../scripts/run.mjs';

/** Next to the command line, which reads it; the server does not serve it. */
export const RELEASE = join(ROOT, 'server', 'dist', 'release.json');

/** @returns size and SHA-256 by sorted URL path, without compressed copies */
export function filesOfClient(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !name.startsWith('.vite/') && !/\.(br|gz)$/.test(name))
    .toSorted();
  return Object.fromEntries(
    files.map((name) => {
      const bytes = readFileSync(join(folder, name));
      return [`/${name}`, { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }];
    }),
  );
}

export function writeRelease() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const release = { version, files: filesOfClient(join(ROOT, 'web', 'dist')) };
  writeFileSync(RELEASE, `${JSON.stringify(release, null, 1)}\n`);
}
