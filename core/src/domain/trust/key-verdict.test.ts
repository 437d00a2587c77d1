import { expect, test } from 'vitest';
import type { KeyChain } from '../keyring/certificate.ts';
import { verdictByRecord } from './key-verdict.ts';
import { EMPTY_RECORD, type KeyWay, withDecidedKey } from './trust-record.ts';

const userId = '11111111-2222-4333-8444-555555555555';
const self = { userId: '5f0c0a52-8f3e-4a65-9a57-0d7a3a9d1f02', fingerprint: 'c'.repeat(64) };
const [one, two, three] = ['a'.repeat(64), 'b'.repeat(64), self.fingerprint];
const chain = (fingerprints: readonly string[], of = userId) =>
  ({ identity: { userId: of, fingerprint: fingerprints[0] }, fingerprints }) as KeyChain;
const knowing = (fingerprint: string, how: KeyWay) =>
  withDecidedKey(EMPTY_RECORD, { userId, name: 'Bob', fingerprint }, how, 1);

test('a key is compared, refuted by another decided one, or unknown; of the person’s own keys only the present one is valid', () => {
  const verdict = (record: typeof EMPTY_RECORD, about: KeyChain) => verdictByRecord(about, record, self);
  expect(verdict(EMPTY_RECORD, chain([one]))).toBe('not-compared');
  expect(verdict(knowing(one, 'words'), chain([one]))).toBe('compared');
  expect(verdict(knowing(one, 'first-use'), chain([one]))).toBe('not-compared');
  expect(verdict(knowing(one, 'words'), chain([two, one]))).toBe('compared');
  for (const how of ['words', 'first-use'] as const) expect(verdict(knowing(one, how), chain([two]))).toBe('refuted');
  expect(verdict(EMPTY_RECORD, chain([three], self.userId))).toBe('compared');
  expect(verdict(EMPTY_RECORD, chain([two, three], self.userId))).toBe('refuted');
});
