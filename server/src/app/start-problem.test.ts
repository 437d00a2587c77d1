/** Problems of a start are explained in one sentence (docs/spec/threats.md §5.2.5). */
import { expect, test } from 'vitest';
import { SchemaError } from '../db/schema/migrate.ts';
import { clockProblem, startProblem } from './main.ts';
import { RELEASED } from './version.ts';

const failure = (code: string) => Object.assign(new Error('open /data/x'), { code });

test.each([
  [failure('EACCES'), /cannot be written \(EACCES\)/],
  [failure('EROFS'), /cannot be written/],
  [failure('ENOTDIR'), /cannot be written/],
  [failure('SQLITE_CANTOPEN'), /cannot be written/],
  [failure('SQLITE_READONLY_DIRECTORY'), /cannot be written/],
  [failure('ENOSPC'), /no room left/],
  [failure('SQLITE_NOTADB'), /is damaged/],
  [new SchemaError('A newer schema.'), /^A newer schema\.$/],
  [Object.assign(new Error('listen EADDRINUSE'), { syscall: 'listen' }), /EADDRINUSE/],
])('%s has a sentence', (error, words) => {
  expect(startProblem(error, '/data')).toMatch(words);
});

test('an unknown error has none', () => {
  expect([startProblem(new TypeError('x is not a function'), '/data'), startProblem('x', '/data')]).toEqual([
    null,
    null,
  ]);
});

test('a clock before the release date is reported', () => {
  const released = Date.parse(RELEASED);
  expect(clockProblem(released)).toBeNull();
  expect(clockProblem(released - 1)).toContain('set it');
  expect(clockProblem(0)).toContain('1970-01-01');
});
