/** docs/spec/decisions.md H7. */
import { type RawUnsupported, type RawEntry, type RawFile, type RawGroup, tagsOf } from './raw.ts';
import type { SkippedCounter } from '../exchange/tree.ts';

const NO_AUTO_TYPE = 'auto-type is not supported';
const OF_A_GROUP = 'of a group, which is not supported';

const WORDS: Readonly<Record<RawUnsupported['kind'], readonly [kind: string, reason: string]>> = {
  sequence: ['auto-type sequence', NO_AUTO_TYPE],
  association: ['auto-type association', NO_AUTO_TYPE],
  custom: ['plugin value', 'stored by another program'],
  colour: ['colour', 'not supported'],
  icon: ['icon', 'not supported'],
};

/** Written by KeePassXC for itself, and by us. */
const INTERNAL =
  /^(?:PasswordBroker\.(?:fields|group)|_LAST_MODIFIED|_CREATED|KPXC_.*|KnownBad|FDO_SECRETS_EXPOSED_GROUP|KeePassXC-Browser Settings|Public Key: .*)$/s;

/** Counts equal things once. */
export function countUnsupportedOfEntry(versions: readonly RawEntry[], skipped: SkippedCounter): void {
  if (versions.length === 1 && versions[0]?.unsupported.length === 0) return;
  countUnsupported(
    versions.flatMap(({ unsupported }) => unsupported),
    skipped,
  );
  const titles = new Set(versions.map(titleOf));
  titles.delete(titleOf(versions.at(-1)));
  titles.delete('');
  if (titles.size > 0) skipped.add('title', 'former, only in the history', titles.size);
}

export function countUnsupportedOfGroup({ notes, tags, times, unsupported }: RawGroup, skipped: SkippedCounter): void {
  if (notes.trim() !== '') skipped.add('note', OF_A_GROUP);
  const tagCount = tagsOf(tags).length;
  if (tagCount > 0) skipped.add('tag', OF_A_GROUP, tagCount);
  if (/^true$/i.test(times.expires)) skipped.add('expiry date', OF_A_GROUP);
  countUnsupported(unsupported, skipped);
}

export function countUnsupportedOfFile({ icons, description, unsupported }: RawFile, skipped: SkippedCounter): void {
  if (icons > 0) skipped.add(...WORDS.icon, icons);
  if (description.trim() !== '') skipped.add('description', 'of the whole file');
  countUnsupported(unsupported, skipped);
}

/** KeePass uses the last one of several. */
export const titleOf = (entry: RawEntry | undefined): string =>
  entry?.strings.findLast(({ key }) => key === 'Title')?.value ?? '';

function countUnsupported(unsupported: readonly RawUnsupported[], skipped: SkippedCounter): void {
  const counted = new Set<string>();
  for (const { kind, key, value } of unsupported) {
    const isIgnored = kind === 'custom' ? value === '' || INTERNAL.test(key) : value === '' && key === '';
    const same = JSON.stringify([kind, key, value]);
    if (isIgnored || counted.has(same)) continue;
    counted.add(same);
    skipped.add(...WORDS[kind]);
  }
}
