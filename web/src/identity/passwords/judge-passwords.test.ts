import { expect, test } from 'vitest';
import { AppError } from '@passwordbroker/core/contract/problem';
import { type AskPolicy, isWeakHere, judgePasswords } from './judge-passwords.ts';
import { NetworkError } from '@passwordbroker/client/transport/exchange';

const says =
  (password_policy: 'warn' | 'strict'): AskPolicy =>
  () =>
    Promise.resolve({ password_policy });
const isAway: AskPolicy = () => Promise.reject(new NetworkError('Failed to fetch'));
const isBusy: AskPolicy = () => Promise.reject(new AppError('unavailable', { message: 'Come back later.' }));

const UNKNOWN_RULES =
  'The password rules of this site could not be loaded. Nothing was sent. Check the connection and try again.';
const REFUSED_RULES =
  'The server did not send its password rules (Come back later). Nothing was sent. Try again; if that does not help, ask the people who run this server.';
const UNKNOWN_STRENGTH =
  'This site refuses passwords that are easy to guess, but this browser could not check yours. Nothing was sent. Try again; if that does not help, reload the page.';

test.each<[string, AskPolicy, number | null, ['clean' | 'warnings' | 'errors', string[], string | null]]>([
  ['a strong one, warn', says('warn'), 4, ['clean', [], null]],
  ['a strong one, strict', says('strict'), 4, ['clean', [], null]],
  ['a weak one, warn', says('warn'), 1, ['warnings', ['weak'], null]],
  ['a weak one, strict', says('strict'), 1, ['errors', ['weak'], null]],
  ['one of unknown strength, warn', says('warn'), null, ['clean', [], null]],
  ['one of unknown strength, strict', says('strict'), null, ['errors', [], UNKNOWN_STRENGTH]],
  ['a strong one, server unreachable', isAway, 4, ['errors', [], UNKNOWN_RULES]],
  ['a strong one, the server refuses', isBusy, 4, ['errors', [], REFUSED_RULES]],
  ['a weak one, server unreachable', isAway, 1, ['errors', [], UNKNOWN_RULES]],
])('%s', async (_, ask, strength, [event, findings, problem]) => {
  const judged = await judgePasswords(
    ask,
    { passwords: ['x'.repeat(12)], about: [] },
    ([known = null]) => (known !== null && known < 3 ? ['weak'] : []),
    () => Promise.resolve([strength]),
  );
  expect(judged).toEqual({ event, findings, problem });
});

const raised: AskPolicy = () =>
  Promise.resolve({ password_policy: 'strict', password_min_length: 16, password_min_score: 4 });

test.each<[string, AskPolicy, string, number | null, string[], string | null]>([
  [
    'eleven characters, strict',
    says('strict'),
    'x'.repeat(11),
    4,
    [],
    'On this site, a password needs at least 12 characters.',
  ],
  ['twelve characters, strict', says('strict'), 'x'.repeat(12), 4, [], null],
  [
    'eleven characters that count twice',
    says('strict'),
    '🦊'.repeat(11),
    4,
    [],
    'On this site, a password needs at least 12 characters.',
  ],
  [
    'fewer than the raised minimum length',
    raised,
    'x'.repeat(15),
    4,
    [],
    'On this site, a password needs at least 16 characters.',
  ],
  ['below the raised minimum strength', raised, 'x'.repeat(16), 3, ['weak'], null],
  ['a short one, warn', says('warn'), 'x', 4, [], null],
])('%s', async (_, ask, password, strength, findings, problem) => {
  const judged = await judgePasswords(
    ask,
    { passwords: [password], about: [] },
    ([known = null]) => (known !== null && known < 3 ? ['weak'] : []),
    () => Promise.resolve([strength]),
  );
  expect(judged).toEqual({
    event: findings.length > 0 || problem !== null ? 'errors' : 'clean',
    findings,
    problem,
  });
});

test.each<[string, AskPolicy, string, number | null, boolean]>([
  ['a weak one, warn', says('warn'), 'x', 0, false],
  ['a short one, strict', says('strict'), 'x'.repeat(11), 4, true],
  ['a weak one, strict', says('strict'), 'x'.repeat(12), 2, true],
  ['a strong one, strict', says('strict'), 'x'.repeat(12), 3, false],
  ['a strong one, raised minimums', raised, 'x'.repeat(16), 3, true],
  ['one of unknown strength', says('strict'), 'x'.repeat(12), null, false],
])('a password that opens a vault is weak on this site: %s', async (_, ask, password, strength, isWeak) => {
  expect(await isWeakHere(ask, password, [], () => Promise.resolve([strength]))).toBe(isWeak);
});

test('waits for a server that sends its rules slowly', async () => {
  let answer = () => {};
  const ask: AskPolicy = () =>
    new Promise((resolve) => {
      answer = () => resolve({ password_policy: 'strict' });
    });
  const question = { passwords: ['x'.repeat(12)], about: [] };
  let isJudged = false;
  const judging = judgePasswords(
    ask,
    question,
    () => ['weak'],
    () => Promise.resolve([1]),
  ).finally(() => (isJudged = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isJudged).toBe(false);
  answer();
  expect(await judging).toEqual({ event: 'errors', findings: ['weak'], problem: null });
});
