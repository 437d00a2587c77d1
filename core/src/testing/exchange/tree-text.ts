/** A tree as JSON that people can read and compare: groups as paths, fields in lines. */
import { encodeBase64 } from '../../crypto/bytes.ts';
import type { ExchangeTree, PlainContent, TreeField } from '../../domain/exchange/tree.ts';

export function treeText({ groups, entries, skipped }: ExchangeTree): string {
  const pathOf = (at: number): string => {
    const { name = '', parent = null } = groups[at] ?? {};
    return parent === null ? '' : `${pathOf(parent)}/${name}`;
  };
  const shown = {
    groups: groups.map((_, at) => pathOf(at)).slice(1),
    entries: entries.map(({ group, title, tags, expires, created, modified, fields }) => ({
      place: `${pathOf(group)}/`,
      title,
      ...(tags.length === 0 ? {} : { tags }),
      ...(expires === null ? {} : { expires: dateOf(expires) }),
      created: dateOf(created),
      modified: dateOf(modified),
      fields: fields.map(fieldText),
    })),
    skipped,
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function fieldText({ type, revisions }: TreeField) {
  const [last, ...past] = revisions.toReversed();
  const formers = past.toReversed().map(({ content, at }) => ({ at: dateOf(at), ...shownContent(content) }));
  if (last === undefined) return { type };
  const present = last.at === null ? {} : { at: dateOf(last.at) };
  return { ...shownContent(last.content), type, ...present, ...(formers.length === 0 ? {} : { past: formers }) };
}

function shownContent(content: PlainContent) {
  const shown = 'bytes' in content ? { ...content, bytes: encodeBase64(content.bytes) } : content;
  return { ...shown, type: undefined };
}
