/**
 * Which three letters of words to look up on the embedded engine, which walks the whole list of each. A few rare ones leave so few rows that comparing their
 * texts costs less than walking the lists of the frequent ones. How frequent they are is remembered and only decides how fast an answer is, not what is in it.
 */
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { prepared } from './prepared.ts';

/** Rows with three letters are counted no further: with more of them they are frequent. */
const MANY = 3000;
/** Of one word: rows that have these have the word, but for a few. */
const RARE_OF_A_WORD = 3;
/** Nobody types so many; to count them all would keep others waiting. */
const MOST_ASKED = 60;
const KEPT = 20_000;
const KEPT_MS = 10 * 60_000;

interface Counts {
  readonly since: number;
  readonly byTrigram: Map<string, number>;
}

const counted = new WeakMap<Database['read'], Counts>();

function countsOf(read: Database['read']): Counts['byTrigram'] {
  const known = counted.get(read);
  const isGood = known !== undefined && known.byTrigram.size < KEPT && performance.now() - known.since < KEPT_MS;
  if (isGood) return known.byTrigram;
  const fresh = { since: performance.now(), byTrigram: new Map<string, number>() };
  counted.set(read, fresh);
  return fresh.byTrigram;
}

/**
 * For each word, of at least three letters, some of what it is made of: rows without all of it need not be looked at. Null where all lists are as short as
 * that, all are long, or there are very many: then words are better looked up as they are.
 */
export async function rareTrigrams(
  read: Database['read'],
  words: readonly string[],
): Promise<readonly (readonly string[])[] | null> {
  const made = words.map(trigramsOf);
  if (made.reduce((sum, { length }) => sum + length, 0) > MOST_ASKED) return null;
  const counts = countsOf(read);
  let [hasRare, hasFrequent] = [false, false];
  const chosen: string[][] = [];
  for (const trigrams of made) {
    for (const trigram of trigrams) {
      const n = counts.get(trigram) ?? (await countUpTo(read, trigram));
      counts.set(trigram, n);
      if (n > MANY) hasFrequent = true;
      else hasRare = true;
    }
    const byCount = trigrams.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
    const rare = byCount.filter((trigram) => (counts.get(trigram) ?? 0) <= MANY).slice(0, RARE_OF_A_WORD);
    chosen.push(rare.length > 0 ? rare : byCount.slice(0, 1));
  }
  return hasRare && hasFrequent ? chosen : null;
}

function trigramsOf(word: string): string[] {
  const letters = [...word];
  return [...new Set(letters.slice(2).map((letter, at) => `${letters[at]}${letters[at + 1]}${letter}`))];
}

/** A text as the index is asked for it: as it stands there, whatever its letters mean elsewhere. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

async function countUpTo(read: Database['read'], trigram: string): Promise<number> {
  return (await ROWS_WITH.first(read, { match: quoted(trigram), most: MANY + 1 }))?.n ?? 0;
}

const ROWS_WITH = prepared((db, given: { readonly match: string; readonly most: number }) =>
  db
    .selectFrom(
      sql<object>`(select 1 from entry_search_trigrams where entry_search_trigrams match ${given.match} limit ${given.most})`.as(
        'some',
      ),
    )
    .select((eb) => eb.fn.countAll<number>().as('n')),
);
