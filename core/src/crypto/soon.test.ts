import { describe, expect, test } from 'vitest';
import { type Soon, whenBoth, withLast } from './soon.ts';

const later = <T>(value: T): Promise<T> => Promise.resolve(value);
const sum = (one: number, other: number) => one + other;

describe('two answers', () => {
  test('both there: so is what comes of them', () => {
    expect(whenBoth(1, 2, sum)).toBe(3);
  });
  test.each<[string, Soon<number>, Soon<number>]>([
    ['the first', later(1), 2],
    ['the second', 1, later(2)],
    ['both', later(1), later(2)],
  ])('%s later: what comes of them is later, too', async (_, one, other) => {
    const answer = whenBoth(one, other, sum);
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toBe(3);
  });
});

describe('the last thing', () => {
  const failing = () => {
    throw new Error('no');
  };
  test.each<[string, () => Soon<string>, boolean]>([
    ['work that is done at once', () => 'done', false],
    ['work that fails at once', failing, true],
    ['work that is done later', () => later('done'), false],
    ['work that fails later', () => later('').then(failing), true],
  ])('%s: once, and not before', async (_, work, isFailure) => {
    const order: string[] = [];
    const noted = () => {
      const answer = work();
      const note = () => order.push('work');
      if (answer instanceof Promise) void answer.then(note, note);
      else note();
      return answer;
    };
    const all = async () => withLast(noted, () => order.push('last'));
    const ended = await all().then(
      () => false,
      () => true,
    );
    expect(ended).toBe(isFailure);
    expect(order.filter((one) => one === 'last')).toEqual(['last']);
    if (order.includes('work')) expect(order).toEqual(['work', 'last']);
  });
});
