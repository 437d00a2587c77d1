/** Misspelt words: the second attempt of a search that found nothing (ADR 5). */

const LEAST_LETTERS = 5;
const WORD = /^[\p{L}\p{N}]+$/u;
const WORDS = /[\p{L}\p{N}]+/gu;

export interface SimilarWord {
  /** Every text with a similar word contains one of them, or matches `middle`. Each has three letters or more. */
  readonly pieces: readonly string[];
  /** The letters around a wrong one in the middle of a word of five, which leaves no piece of three. */
  readonly middle: readonly [before: string, after: string] | null;
  /** Whether a folded text has a similar word. The text may go on after it. */
  isIn(text: string): boolean;
}

/**
 * How to find a folded word of a search with one error: a missing, additional or other letter, or two swapped
 * ones. Null if it has less than five letters or other characters.
 */
export function similarWord(word: string): SimilarWord | null {
  const letters = [...word];
  if (letters.length < LEAST_LETTERS || !WORD.test(word)) return null;
  const isShort = letters.length === LEAST_LETTERS;
  const pieces = isShort ? piecesOfFive(letters) : halves(letters);
  const middle = isShort ? ([letters.slice(0, 2).join(''), letters.slice(3).join('')] as const) : null;
  const shared = new RegExp([...pieces, ...(middle === null ? [] : [middle.join('.')])].join('|'), 'u');
  return {
    pieces,
    middle,
    isIn(text) {
      if (!shared.test(text)) return false;
      for (const [other] of text.matchAll(WORDS)) {
        if (shared.test(other) && hasOneError(letters, [...other])) return true;
      }
      return false;
    },
  };
}

/** An error is in one half, or swaps the letters between them. */
function halves(letters: readonly string[]): readonly string[] {
  const half = Math.floor(letters.length / 2);
  return [letters.slice(0, half), letters.slice(half), swapped(letters, half - 1)].map((part) => part.join(''));
}

function piecesOfFive(letters: readonly string[]): readonly string[] {
  const across = [swapped(letters, 1), swapped(letters, 2), letters.toSpliced(2, 1)];
  return [letters.slice(0, 3), letters.slice(2), ...across].map((part) => part.join(''));
}

const swapped = (letters: readonly string[], at: number) =>
  letters.with(at, letters[at + 1] ?? '').with(at + 1, letters[at] ?? '');

/** Whether another word begins with the word, except for at most one error. */
function hasOneError(word: readonly string[], other: readonly string[]): boolean {
  let at = 0;
  while (at < word.length && word[at] === other[at]) at += 1;
  const continues = (from: number, there: number) => word.slice(from).every((letter, i) => letter === other[there + i]);
  const isSwapped = word[at] === other[at + 1] && word[at + 1] === other[at] && continues(at + 2, at + 2);
  return isSwapped || continues(at + 1, at + 1) || continues(at + 1, at) || continues(at, at + 1);
}
