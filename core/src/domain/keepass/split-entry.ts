/** Splits an entry above the size limits into `Title`, `Title (2)` and so on. */
import { hasTooManyFields, hasTooMuchText, textSize } from '../fields/entry-size.ts';
import { LIMITS } from '../limits.ts';
import { shorten } from './shorten.ts';
import type { TreeEntry, TreeField } from './tree.ts';

/** Returns the entry itself, or several with its fields in order. */
export function splitEntry(entry: TreeEntry): readonly TreeEntry[] {
  const parts: TreeEntry[] = [];
  let title = entry.title;
  let fields: TreeField[] = [];
  let text = title.length;
  for (const field of entry.fields) {
    const more = sizeOf(field);
    if (hasTooManyFields({ fields: fields.length + 1 }) || hasTooMuchText({ text: text + more })) {
      parts.push({ ...entry, title, fields });
      title = numbered(entry.title, parts.length + 1);
      fields = [];
      text = title.length;
    }
    fields.push(field);
    text += more;
  }
  return parts.length === 0 ? [entry] : [...parts, { ...entry, title, fields }];
}

function numbered(title: string, number: number): string {
  const suffix = ` (${number})`;
  return `${shorten(title, LIMITS.title - suffix.length)}${suffix}`;
}

function sizeOf({ revisions }: TreeField): number {
  const content = revisions.at(-1)?.content;
  if (content === undefined) return 0;
  const { title } = content;
  if (content.type === 'password') return textSize({ title, login: content.login });
  return textSize(content.type === 'file' ? { title, file_name: content.name } : { title });
}
