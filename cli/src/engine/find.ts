/** What a reference names: groups, entries and fields that the person may read, by their exact names. */
import type { Field, ListedEntry, TreeNode } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import type { EntryPath, VaultRead } from '@passwordbroker/client/vault/vault';
import { CommandError, EXIT } from '../failure.ts';
import { encodeElement, type Reference } from '../references.ts';

export interface FoundEntry extends EntryPath {
  /** 'group/sub/entry' */
  readonly path: string;
  readonly entry: ListedEntry;
}

export interface FoundField extends EntryPath {
  readonly path: string;
  readonly field: Field;
}

type Reads = Pick<VaultRead, 'tree' | 'entries' | 'entriesById'>;

interface FoundGroup {
  readonly id: string;
  readonly path: string;
  readonly node: TreeNode;
}

const isNamed = (element: string, name: string, id: string) =>
  element.startsWith('id:') ? element.slice(3).toLowerCase() === id : element === name.normalize('NFC');

/** Groups with this path; `[]`: none. Readable ones only: the tree also shows the names of those above them. */
export function groupsAt(tree: readonly TreeNode[], elements: readonly string[]): readonly FoundGroup[] {
  let found: readonly FoundGroup[] = [];
  let below: readonly { readonly node: TreeNode; readonly above: string }[] = tree.map((node) => ({ node, above: '' }));
  for (const element of elements) {
    found = below
      .filter(({ node }) => isNamed(element, node.title, node.entry_group_id))
      .map(({ node, above }) => ({ id: node.entry_group_id, path: above + encodeElement(node.title), node }));
    below = found.flatMap(({ node, path }) => node.children.map((child) => ({ node: child, above: `${path}/` })));
  }
  return found;
}

/** @throws CommandError with exit 4 or 5 */
export function oneGroup(tree: readonly TreeNode[], elements: readonly string[]): FoundGroup {
  return single(
    groupsAt(tree, elements).map((group) => ({ ...group, label: `${group.path}  id:${group.id}` })),
    `No group “${elements.join('/')}”.`,
    `Several groups are named “${elements.join('/')}”`,
  );
}

/** @throws CommandError with exit 4 or 5 */
export async function oneEntry(read: Reads, reference: Reference): Promise<FoundEntry> {
  return single(
    (await entriesAt(read, await read.tree(), reference.elements)).map((entry) => ({
      ...entry,
      label: `${entry.path}  id:${entry.entryId}`,
    })),
    `No entry “${reference.text}”.`,
    `Several entries are named “${reference.text}”`,
  );
}

async function entriesAt(
  read: Pick<Reads, 'entries'>,
  tree: readonly TreeNode[],
  elements: readonly string[],
): Promise<FoundEntry[]> {
  const name = elements.at(-1);
  if (name === undefined || elements.length < 2) return [];
  const found: FoundEntry[] = [];
  for (const { id, path, node } of groupsAt(tree, elements.slice(0, -1))) {
    if (node.role === 'guest') continue;
    for (const entry of await read.entries(id))
      if (isNamed(name, entry.title, entry.entry_id))
        found.push({ entryGroupId: id, entryId: entry.entry_id, path: `${path}/${encodeElement(entry.title)}`, entry });
  }
  return found;
}

/** The only field of a reference, as `fieldsFor` finds it. @throws CommandError with exit 4 or 5 */
export async function oneField(read: Reads, reference: Reference, wanted: FieldType = 'password'): Promise<FoundField> {
  const [found] = await fieldsFor(read, [reference], wanted);
  if (found === undefined) throw new RangeError('One field for each reference');
  return found;
}

/**
 * A field for each reference: of `entry/field`, where a field may be named by its type if it is the only one; of an entry
 * alone the only field of the wanted type, else the only field. One call for the tree, one for each group, one for each
 * hundred entries.
 * @throws CommandError with exit 4 or 5 and every reference that fits none or several
 */
export async function fieldsFor(
  read: Reads,
  references: readonly Reference[],
  wanted: FieldType = 'password',
): Promise<readonly FoundField[]> {
  const tree = await read.tree();
  const lists = new Map<string, Promise<readonly ListedEntry[]>>();
  const listOnce = (groupId: string) => {
    const list = lists.get(groupId) ?? read.entries(groupId);
    lists.set(groupId, list);
    return list;
  };
  const candidates = [];
  for (const { elements } of references)
    candidates.push({
      above: await entriesAt({ entries: listOnce }, tree, elements.slice(0, -1)),
      alone: await entriesAt({ entries: listOnce }, tree, elements),
    });
  const fieldsOfEntry = await readFields(
    read,
    candidates.flatMap(({ above, alone }) => [...above, ...alone]),
  );
  const found: FoundField[] = [];
  const failures: CommandError[] = [];
  for (const [at, { text, elements }] of references.entries()) {
    const name = elements.at(-1) ?? '';
    const { above = [], alone = [] } = candidates[at] ?? {};
    const fitting = [
      ...above.flatMap((entry) => {
        const fields = fieldsOfEntry(entry);
        const named = fields.filter(({ field }) => isNamed(name, field.title, field.field_id));
        return named.length > 0 ? named : fields.filter(({ field }) => field.type === name);
      }),
      ...alone.flatMap((entry) => {
        const fields = fieldsOfEntry(entry);
        const ofType = fields.filter(({ field }) => field.type === wanted);
        return ofType.length > 0 ? ofType : fields;
      }),
    ].map((field) => ({ ...field, label: `${field.path}  ${field.field.type}  id:${field.field.field_id}` }));
    try {
      found.push(single(fitting, `Nothing is named “${text}”.`, `Several fields fit “${text}”`));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failures.push(error);
    }
  }
  const [first] = failures;
  if (first === undefined) return found;
  const { exit, code } = first.failure;
  throw new CommandError(exit, code, failures.map(({ message }) => message).join('\n'));
}

/** Fields of entries by their ids, in the order in which a list shows them. */
async function readFields(read: Reads, entries: readonly FoundEntry[]) {
  const ids = [...new Set(entries.map(({ entryId }) => entryId))];
  const rows = new Map<string, readonly Field[]>();
  for (let from = 0; from < ids.length; from += ENTRIES_AT_ONCE)
    for (const { entry_id, passwords, links, notes, files, TOTPs } of await read.entriesById(
      ids.slice(from, from + ENTRIES_AT_ONCE),
    ))
      rows.set(entry_id, [...passwords, ...links, ...notes, ...files, ...TOTPs]);
  return ({ entryGroupId, entryId, path }: FoundEntry): FoundField[] =>
    (rows.get(entryId) ?? []).map((field) => ({
      entryGroupId,
      entryId,
      path: `${path}/${encodeElement(field.title)}`,
      field,
    }));
}

const ENTRIES_AT_ONCE = 100;

export async function fieldsOf(read: Reads, entry: FoundEntry): Promise<FoundField[]> {
  return (await readFields(read, [entry]))(entry);
}

function single<T extends { readonly label: string }>(found: readonly T[], none: string, several: string): T {
  const [first, second] = found;
  if (first === undefined) throw new CommandError(EXIT.notFound, 'not_found', none);
  if (second === undefined) return first;
  const lines = found.map(({ label }) => `  ${label}`).join('\n');
  throw new CommandError(EXIT.several, 'ambiguous', `${several}. Name one by its id:\n${lines}`);
}
