/** A field's past out of the versions of its entry: one revision for each time its content changed. */
import type { PlainContent, SkippedCounter, TreeField, TreeRevision } from './tree.ts';
import type { Contents } from './map-entry.ts';

export interface Version {
  readonly contents: Contents;
  readonly at: number | null;
}

/** Versions oldest first, the present one last. A field that the present version has no more is left out, and said so. */
export function fieldsOver(versions: readonly Version[], skipped: SkippedCounter): TreeField[] {
  const present = versions.at(-1);
  if (present === undefined) return [];
  const gone = new Set(
    versions.flatMap(({ contents }) => [...contents.keys()]).filter((key) => !present.contents.has(key)),
  );
  if (gone.size > 0) skipped.add('field', 'removed before, only in the history', gone.size);
  return [...present.contents.keys()].map((key) => {
    const revisions: TreeRevision[] = [];
    const type = present.contents.get(key)?.type;
    for (const { contents, at } of versions) {
      const content = contents.get(key);
      if (content === undefined || content.type !== type) continue;
      if (revisions.length === 0 || !isSame(revisions.at(-1)?.content, content)) revisions.push({ content, at });
    }
    return { type: type ?? 'note', revisions };
  });
}

function isSame(a: PlainContent | undefined, b: PlainContent): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
