/**
 * Where a thread begins that runs from TypeScript sources (development, tests): its first argument is the real entry. A TypeScript loader costs each
 * thread a second, so the entry is bundled instead, as for a release; the bundle is kept until one of its sources changes.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const KEPT = join(ROOT, 'node_modules', '.cache', 'source-threads');
const DAY = 24 * 3_600_000;

/** Size and time of each file, as text. */
const stateOf = (files) =>
  JSON.stringify(
    files.map((file) => {
      const { mtimeMs, size } = statSync(join(ROOT, file), { throwIfNoEntry: false }) ?? {};
      return [file, mtimeMs ?? 0, size ?? 0];
    }),
  );

/** @returns {string} the path of the bundle that was made of exactly these sources, or '' */
function kept(name) {
  const note = join(KEPT, `${name}.json`);
  if (!existsSync(note)) return '';
  const { bundle, state } = JSON.parse(readFileSync(note, 'utf8'));
  const isSame = existsSync(bundle) && stateOf(JSON.parse(state).map(([file]) => file)) === state;
  return isSame ? bundle : '';
}

async function bundle(entry, name) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
    // Native addons load from node_modules, as in `build/build.mjs`.
    external: ['@node-rs/argon2', 'cookie'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  const [made] = outputFiles;
  const state = stateOf(Object.keys(metafile.inputs));
  mkdirSync(KEPT, { recursive: true });
  // Other threads and processes may do the same at this moment: whole files take each other's place.
  const put = (path, content) => {
    const own = `${path}.${process.pid}-${threadId}`;
    writeFileSync(own, content);
    renameSync(own, path);
  };
  const path = join(KEPT, `${name}-${made.hash.replaceAll(/\W/g, '')}.mjs`);
  put(path, made.contents);
  put(join(KEPT, `${name}.json`), JSON.stringify({ bundle: path, state }));
  for (const file of readdirSync(KEPT).filter((one) => one.startsWith(`${name}-`))) {
    const isOld = (statSync(join(KEPT, file), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - DAY;
    if (isOld) rmSync(join(KEPT, file), { force: true });
  }
  return path;
}

const entry = fileURLToPath(process.argv[2] ?? '');
const name = basename(entry, '.ts');
await import(pathToFileURL(kept(name) || (await bundle(entry, name))).href);
