import { describe, expect, test } from 'vitest';
import { type MaybePromise, bothThen, andFinally } from './maybe-promise.ts';

const later = <T>(value: T): Promise<T> => Promise.resolve(value);
const sum = (one: number, other: number) => one + other;

describe('bothThen', () => {
  test('of two ready values returns a ready result', () => {
    expect(bothThen(1, 2, sum)).toBe(3);
  });
  test.each<[string, MaybePromise<number>, MaybePromise<number>]>([
    ['the first', later(1), 2],
    ['the second', 1, later(2)],
    ['both', later(1), later(2)],
  ])('returns a promise if %s is pending', async (_, one, other) => {
    const answer = bothThen(one, other, sum);
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toBe(3);
  });
});

describe('andFinally', () => {
  const failing = () => {
    throw new Error('no');
  };
  test.each<[string, () => MaybePromise<string>, boolean]>([
    ['work that succeeds at once', () => 'done', false],
    ['work that fails at once', failing, true],
    ['work that succeeds later', () => later('done'), false],
    ['work that fails later', () => later('').then(failing), true],
  ])('calls the last step once, after %s', async (_, work, isFailure) => {
    const order: string[] = [];
    const noted = () => {
      const answer = work();
      const note = () => order.push('work');
      if (answer instanceof Promise) void answer.then(note, note);
      else note();
      return answer;
    };
    const all = async () => andFinally(noted, () => order.push('last'));
    const ended = await all().then(
      () => false,
      () => true,
    );
    expect(ended).toBe(isFailure);
    expect(order.filter((one) => one === 'last')).toEqual(['last']);
    if (order.includes('work')) expect(order).toEqual(['work', 'last']);
  });
});
