import styles from './search-page.module.css';
import { foldText, parseSearch, searchedTexts } from '@passwordbroker/core/domain/search-text';

interface Props {
  readonly text: string;
  readonly query: string;
}

export function MarkedText({ text, query }: Props) {
  let at = 0;
  return highlight(text, query).map((piece) => {
    const start = at;
    at += piece.text.length;
    return piece.isMatch ? (
      <mark key={start} className={styles['mark']}>
        {piece.text}
      </mark>
    ) : (
      <span key={start}>{piece.text}</span>
    );
  });
}

interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/**
 * Marks the words of a query, ignoring case and accents (docs/spec/decisions.md H8). The pieces joined are
 * the text.
 * Excluded words and field types of the query mark nothing.
 */
export function highlight(text: string, query: string): readonly Piece[] {
  const words = searchedTexts(parseSearch(query));
  if (words.length === 0 || text === '') return [{ text, isMatch: false }];
  const characters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
    (part) => part.segment,
  );
  const { folded, owner } = foldCharacters(characters);
  const marked = new Set<number>();
  for (const word of words) {
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + 1)) {
      for (let i = at; i < at + word.length; i += 1) marked.add(owner[i] ?? 0);
    }
  }
  return join(characters, marked);
}

/** Folding may change the length ('ﬁ' → 'fi'): `owner[i]` is the index of the character of folded unit i. */
function foldCharacters(characters: readonly string[]) {
  let folded = '';
  const owner: number[] = [];
  characters.forEach((character, index) => {
    const part = foldText(character);
    folded += part;
    for (let i = 0; i < part.length; i += 1) owner.push(index);
  });
  return { folded, owner };
}

function join(characters: readonly string[], marked: ReadonlySet<number>): readonly Piece[] {
  const pieces: { text: string; isMatch: boolean }[] = [];
  characters.forEach((character, index) => {
    const isMatch = marked.has(index);
    const last = pieces.at(-1);
    if (last?.isMatch === isMatch) last.text += character;
    else pieces.push({ text: character, isMatch });
  });
  return pieces;
}
