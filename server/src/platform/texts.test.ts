/** Texts of the server are in a catalogue: here, in `core/src/contract`, or in `mail/`. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
/** An error whose text is written where it is thrown. */
const LITERAL = /(?:new AppError\([^;]*?message: |refuse\([^;]*?, )(['`])[A-Z]/g;

const strayIn = (source: string) =>
  [...source.matchAll(LITERAL)].map(({ index }) => source.slice(0, index).split('\n').length);

test('the search finds planted texts', () => {
  expect(strayIn("\nthrow new AppError('conflict', { message: 'The entry is gone' });")).toEqual([2]);
  expect(strayIn("throw new AppError('conflict', {\n  details,\n  message: `Has ${n}`,\n});")).toEqual([1]);
  expect(strayIn("throw refuse('file', 'The file is odd');")).toEqual([1]);
  expect(strayIn("throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });")).toEqual([]);
});

test('no error has its text outside the catalogue', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(file),
  );
  expect(files.length).toBeGreaterThan(150);
  const stray = files.flatMap((file) =>
    strayIn(readFileSync(join(SOURCES, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(stray).toEqual([]);
});
