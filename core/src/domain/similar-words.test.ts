import { describe, expect, test } from 'vitest';
import { similarWord } from './similar-words.ts';

test.each([
  ['buisness', 'business plan', true],
  ['business', 'business plan', true],
  ['postgersql', 'the postgresql primary', true],
  ['kuberentes', 'kubernetes', true],
  ['adminstartion', 'administration', false],
  ['adnin', 'admin', true],
  ['servr', 'mail\nserver', true],
  // The text may go on after the word.
  ['mogodb', 'mongodbcluster', true],
  ['buisness', 'busy bees', false],
  ['oracle', 'mongo', false],
  // Two errors.
  ['srevre', 'server', false],
])('%s in %j: %j', (word, text, expected) => {
  expect(similarWord(word)?.isIn(text)).toBe(expected);
});

test.each(['', 'wiki', 'a-b-c', 'old server', '100%_', '🔑🔑'])('%j is not forgiven', (word) => {
  expect(similarWord(word)).toBeNull();
});

describe('every single error of a word is found, and a search by pieces finds the same', () => {
  const ABC = 'abcdefghijklmnopqrstuvwxyz';
  const withOneError = (word: string) => {
    const all = new Set<string>();
    for (let at = 0; at <= word.length; at += 1) {
      const [before, after] = [word.slice(0, at), word.slice(at)];
      all.add(before + after.slice(1));
      if (after.length > 1) all.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
      for (const letter of ABC) all.add(before + letter + after).add(before + letter + after.slice(1));
    }
    return [...all].filter((one) => one.length >= 5);
  };

  test.each('mongo oracle staging business mikrotik kubernetes prometheus administrator'.split(' '))('%s', (target) => {
    for (const typed of withOneError(target)) {
      const word = similarWord(typed);
      const middle = word?.middle?.join('.');
      const byPieces = word?.pieces.some((piece) => target.includes(piece)) === true;
      expect([typed, word?.isIn(`the ${target} box`)]).toEqual([typed, true]);
      expect([typed, byPieces || (middle !== undefined && new RegExp(middle).test(target))]).toEqual([typed, true]);
    }
  });
});
