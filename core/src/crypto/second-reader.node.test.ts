/** P22: vectors and frozen values, read by an independent implementation in Python. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const path = (name: string) => fileURLToPath(new URL(`../testing/${name}`, import.meta.url));
const python = (...args: string[]) => spawnSync('python3', args, { encoding: 'utf8', timeout: 60_000 });
const canRun = python('-c', 'from cryptography.hazmat.primitives.kdf.argon2 import Argon2id').status === 0;

if (canRun) {
  test('the second reader agrees with every vector (P22)', () => {
    const run = python(path('pb1_reader.py'), path('fixtures/pb1_vectors.json'), path('fixtures/pb1_frozen.json'));
    expect(run.stderr).toBe('');
    expect(run.stdout.trim()).toBe('108 values agree');
  });
} else {
  test.skip('the second reader (P22): skipped, Python with the package cryptography is not installed', () => {});
}
