/** What a reference names: groups, entries and fields that the person may read, by their exact names. */
import type { Field, ListedEntry, TreeNode } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { FIELD_TYPES } from '@passwordbroker/core/domain/fields/field-kinds';
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

type Reads = Pick<VaultRead, 'tree' | 'entries' | 'fields'>;

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
  const found = await entriesAt(read, reference.elements);
  return single(
    found.map((entry) => ({ ...entry, label: `${entry.path}  id:${entry.entryId}` })),
    `No entry “${reference.text}”.`,
    `Several entries are named “${reference.text}”`,
  );
}

async function entriesAt(read: Reads, elements: readonly string[]): Promise<FoundEntry[]> {
  const name = elements.at(-1);
  if (name === undefined || elements.length < 2) return [];
  const found: FoundEntry[] = [];
  for (const { id, path, node } of groupsAt(await read.tree(), elements.slice(0, -1))) {
    if (node.role === 'guest') continue;
    for (const entry of await read.entries(id))
      if (isNamed(name, entry.title, entry.entry_id))
        found.push({ entryGroupId: id, entryId: entry.entry_id, path: `${path}/${encodeElement(entry.title)}`, entry });
  }
  return found;
}

/**
 * `entry/field`, where a field may be named by its type if it is the only one; of an entry alone the only field of the
 * wanted type, else the only field. @throws CommandError with exit 4 or 5
 */
export async function oneField(read: Reads, reference: Reference, wanted: FieldType = 'password'): Promise<FoundField> {
  const { elements, text } = reference;
  const name = elements.at(-1) ?? '';
  const found: FoundField[] = [];
  for (const entry of await entriesAt(read, elements.slice(0, -1))) {
    const fields = await fieldsOf(read, entry);
    const named = fields.filter(({ field }) => isNamed(name, field.title, field.field_id));
    const typed = isType(name) ? fields.filter(({ field }) => field.type === name) : [];
    found.push(...(named.length > 0 ? named : typed));
  }
  for (const entry of await entriesAt(read, elements)) {
    const fields = await fieldsOf(read, entry);
    const ofType = fields.filter(({ field }) => field.type === wanted);
    found.push(...(ofType.length > 0 ? ofType : fields));
  }
  return single(
    found.map((field) => ({ ...field, label: `${field.path}  ${field.field.type}  id:${field.field.field_id}` })),
    `Nothing is named “${text}”.`,
    `Several fields fit “${text}”`,
  );
}

const isType = (name: string): name is FieldType => (FIELD_TYPES as readonly string[]).includes(name);

export async function fieldsOf(read: Reads, entry: FoundEntry): Promise<FoundField[]> {
  const { entryGroupId, entryId, path } = entry;
  const fields = await read.fields({ entryGroupId, entryId });
  return fields.map((field) => ({ entryGroupId, entryId, path: `${path}/${encodeElement(field.title)}`, field }));
}

function single<T extends { readonly label: string }>(found: readonly T[], none: string, several: string): T {
  const [first, second] = found;
  if (first === undefined) throw new CommandError(EXIT.notFound, 'not_found', none);
  if (second === undefined) return first;
  const lines = found.map(({ label }) => `  ${label}`).join('\n');
  throw new CommandError(EXIT.several, 'ambiguous', `${several}. Name one by its id:\n${lines}`);
}
