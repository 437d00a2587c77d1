/** `release.json`: the SHA-256 of every file of the web client of this tree, as a server gives them out. Whoever has built the same tree has the same (docs/spec/threats.md §3.2). */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from './run.mjs';

/** Beside the command line that reads it, and not among what is served. */
export const RELEASE = join(ROOT, 'server', 'dist', 'release.json');

/** @returns addresses in their order, each with size and SHA-256; compressed copies hold the same and are not named */
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
