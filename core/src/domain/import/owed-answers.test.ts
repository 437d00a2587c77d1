import { expect, test } from 'vitest';
import { owedAnswers } from './owed-answers.ts';

test('each order is given a number of its own and gets what is said to that number, in whichever order it comes', async () => {
  const owed = owedAnswers<string>();
  const ids: number[] = [];
  const first = owed.ask((id) => ids.push(id));
  const second = owed.ask((id) => ids.push(id));
  const [one = 0, two = 0] = ids;
  expect(one).not.toBe(two);
  owed.answer(two, 'second');
  owed.answer(one, 'first');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
});

test('a failure is that of its order alone', async () => {
  const owed = owedAnswers<string>();
  const ids: number[] = [];
  const [good, bad] = [owed.ask((id) => ids.push(id)), owed.ask((id) => ids.push(id))];
  owed.fail(ids[1] ?? 0, new Error('broken'));
  await expect(bad).rejects.toThrow('broken');
  owed.answer(ids[0] ?? 0, 'fine');
  expect(await good).toBe('fine');
});

test('what waits when the other side is gone fails, and so does what is asked for later, without being given away', async () => {
  const owed = owedAnswers<string>();
  const waits = owed.ask(() => {});
  owed.failAll(new Error('gone'));
  await expect(waits).rejects.toThrow('gone');
  let wasGiven = false;
  await expect(owed.ask(() => (wasGiven = true))).rejects.toThrow('gone');
  expect(wasGiven).toBe(false);
});

test('an order that cannot be given away fails with the reason', async () => {
  await expect(
    owedAnswers<string>().ask(() => {
      throw new Error('no such way');
    }),
  ).rejects.toThrow('no such way');
});
