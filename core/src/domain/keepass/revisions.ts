import { KEEPASS_LIMITS as LIMITS } from './limits.ts';
import type { RawEntry } from './raw.ts';
import { readKeepassTime } from './values.ts';

export interface Version<T> {
  readonly contents: ReadonlyMap<string, T>;
  readonly at: number | null;
}

export interface Change<T> {
  readonly content: T;
  readonly at: number | null;
}

/** Former versions, oldest first, then the present one. */
export function versionsOf(entry: RawEntry): { versions: RawEntry[]; leftOut: number } {
  const timed = entry.history.map((version) => ({ version, at: readKeepassTime(version.times.modified) }));
  // Merged databases may be out of order.
  if (timed.every(({ at }) => at !== null)) timed.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const kept = timed.slice(-LIMITS.history).map(({ version }) => version);
  return { versions: [...kept, entry], leftOut: timed.length - kept.length };
}

/**
 * One revision for each change of the present version's contents.
 * @param versions oldest first. @returns `gone`: number of keys that the present version no longer has
 */
export function changesOver<T>(
  versions: readonly Version<T>[],
  isSame: (a: T, b: T) => boolean,
): { changes: Map<string, Change<T>[]>; gone: number } {
  const changes = new Map<string, Change<T>[]>();
  for (const { contents, at } of versions) {
    for (const [key, content] of contents) {
      const before = changes.get(key);
      const last = before?.at(-1);
      if (before === undefined) changes.set(key, [{ content, at }]);
      else if (last === undefined || !isSame(last.content, content)) before.push({ content, at });
    }
  }
  const present = [...(versions.at(-1)?.contents.keys() ?? [])];
  const kept = new Map(present.map((key) => [key, changes.get(key) ?? []]));
  return { changes: kept, gone: changes.size - kept.size };
}
