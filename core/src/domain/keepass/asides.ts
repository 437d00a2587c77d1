/** Counts what a file has beside groups, entries and fields, and what the vault has no place for (decision H7: what was left out, and why). */
import type { RawAside, RawEntry, RawFile, RawGroup } from './raw.ts';
import { tagsOf } from './tags.ts';
import type { SkippedCounter } from './tree.ts';

const NOT_TYPED = 'nothing is typed automatically here';
const OF_A_GROUP = 'of a group, and groups have none here';

const WORDS: Readonly<Record<RawAside['kind'], readonly [kind: string, reason: string]>> = {
  sequence: ['auto-type sequence', NOT_TYPED],
  association: ['auto-type association', NOT_TYPED],
  custom: ['plugin value', 'kept in the file by another program'],
  colour: ['colour', 'entries have none here'],
  icon: ['icon', 'the vault has no icons of its own'],
};

/** What KeePassXC notes for itself and nobody has written: times, its settings, and browsers that it knows. */
const INTERNAL =
  /^(?:_LAST_MODIFIED|_CREATED|KPXC_.*|KnownBad|FDO_SECRETS_EXPOSED_GROUP|KeePassXC-Browser Settings|Public Key: .*)$/s;

/**
 * What an entry has lost, with its past: equal things of several versions count once, as the versions mostly repeat each other.
 * @param versions the present one last
 */
export function countEntryAsides(versions: readonly RawEntry[], skipped: SkippedCounter): void {
  countAsides(
    versions.flatMap(({ asides }) => asides),
    skipped,
  );
  const titles = new Set(versions.map(titleOf));
  titles.delete(titleOf(versions.at(-1)));
  titles.delete('');
  if (titles.size > 0) skipped.add('title', 'former, only in the history', titles.size);
}

/** What a group has that groups here have not. */
export function countGroupAsides({ notes, tags, times, asides }: RawGroup, skipped: SkippedCounter): void {
  if (notes.trim() !== '') skipped.add('note', OF_A_GROUP);
  const tagCount = tagsOf(tags).length;
  if (tagCount > 0) skipped.add('tag', OF_A_GROUP, tagCount);
  if (/^true$/i.test(times.expires)) skipped.add('expiry date', OF_A_GROUP);
  countAsides(asides, skipped);
}

/** What belongs to the file as a whole. */
export function countFileAsides({ icons, description, asides }: RawFile, skipped: SkippedCounter): void {
  if (icons > 0) skipped.add(...WORDS.icon, icons);
  if (description.trim() !== '') skipped.add('description', 'of the whole file');
  countAsides(asides, skipped);
}

/** The title of an entry as it stands in the file; of several the last, as in KeePass. */
export const titleOf = (entry: RawEntry | undefined): string =>
  entry?.strings.findLast(({ key }) => key === 'Title')?.value ?? '';

function countAsides(asides: readonly RawAside[], skipped: SkippedCounter): void {
  const counted = new Set<string>();
  for (const { kind, key, value } of asides) {
    const isNothing = kind === 'custom' ? value === '' || INTERNAL.test(key) : value === '' && key === '';
    const same = JSON.stringify([kind, key, value]);
    if (isNothing || counted.has(same)) continue;
    counted.add(same);
    skipped.add(...WORDS[kind]);
  }
}
