/** The compiler and the lint rules keep a page, Node and storage out of the client (see platform.ts). */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const CLIENT = dirname(import.meta.dirname);
const ROOT = dirname(CLIENT);
const SEED = `export const named = () => [document, process, indexedDB, fetch];\n`;
const OUTSIDE_WORLD = `indexedDB localStorage sessionStorage XMLHttpRequest BroadcastChannel Worker navigator location
  caches self`.split(/\s+/);

const run = (program: string, args: readonly string[], cwd: string): Promise<string> =>
  new Promise((resolve) => {
    const path = join(ROOT, 'node_modules/.bin', program);
    execFile(process.execPath, [path, ...args], { cwd }, (_, stdout, stderr) => resolve(stdout + stderr));
  });

test('CL1 tsc refuses `document` and `process`, lint refuses storage and workers, and `fetch` is allowed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outside-world-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'client/src'), { recursive: true });
  writeFileSync(join(folder, 'client/src/seed.ts'), SEED);
  const seeded = { extends: join(CLIENT, 'tsconfig.json'), include: ['src'], references: [] };
  const compilerOptions = { rootDir: 'src', outDir: 'out', tsBuildInfoFile: 'out/info' };
  writeFileSync(join(folder, 'client/tsconfig.json'), JSON.stringify({ ...seeded, compilerOptions }));
  const { writeLintConfig } = (await import(join(ROOT, 'scripts/lint-config.mjs'))) as {
    readonly writeLintConfig: (folder: string) => void;
  };
  writeLintConfig(folder);

  const compiled = await run('tsc', ['-p', 'client', '--pretty', 'false'], folder);
  expect([...compiled.matchAll(/Cannot find name '(\w+)'/g)].map(([, name]) => name)).toEqual(['document', 'process']);
  expect(compiled.match(/error TS/g)).toHaveLength(2);

  writeFileSync(
    join(folder, 'client/src/seed.ts'),
    `export const named = () => [${OUTSIDE_WORLD.join(', ')}, fetch];\n`,
  );
  const { diagnostics } = JSON.parse(await run('oxlint', ['--format', 'json', 'client/src'], folder)) as {
    diagnostics: readonly { readonly message: string; readonly code: string }[];
  };
  const restricted = diagnostics.flatMap(({ code, message }) =>
    code === 'eslint(no-restricted-globals)' ? /'(\w+)'/.exec(message)?.slice(1) : code,
  );
  expect(new Set(restricted)).toEqual(new Set(OUTSIDE_WORLD));
  expect(restricted).toHaveLength(OUTSIDE_WORLD.length);
});
