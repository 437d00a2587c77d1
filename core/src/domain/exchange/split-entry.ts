import { hasTooManyFields, hasTooMuchText, textSize, LIMITS as VAULT } from '../limits.ts';
import { shorten } from './shown-text.ts';
import type { TreeEntry, TreeField } from './tree.ts';

export const TOO_LARGE = 'too large for one entry, so it continues in “Title (2)”';

/** Splits a large entry into `Title`, `Title (2)` and so on. */
export function splitEntry(entry: TreeEntry): readonly TreeEntry[] {
  let whole = entry.title.length;
  for (const field of entry.fields) whole += textSizeOf(field);
  if (!hasTooManyFields({ fields: entry.fields.length }) && !hasTooMuchText({ text: whole })) return [entry];
  const parts: TreeEntry[] = [];
  let title = entry.title;
  let fields: TreeField[] = [];
  let text = title.length;
  for (const field of entry.fields) {
    const more = textSizeOf(field);
    if (hasTooManyFields({ fields: fields.length + 1 }) || hasTooMuchText({ text: text + more })) {
      parts.push({ ...entry, title, fields });
      title = numbered(entry.title, parts.length + 1);
      fields = [];
      text = title.length;
    }
    fields.push(field);
    text += more;
  }
  return [...parts, { ...entry, title, fields }];
}

function numbered(title: string, number: number): string {
  const suffix = ` (${number})`;
  return `${shorten(title, VAULT.title - suffix.length)}${suffix}`;
}

function textSizeOf({ revisions }: TreeField): number {
  const content = revisions.at(-1)?.content;
  if (content === undefined) return 0;
  const { title } = content;
  if (content.type === 'password') return textSize({ title, login: content.login });
  return textSize(content.type === 'file' ? { title, file_name: content.name } : { title });
}
