/** Imports into existing groups, sealed by core as a client does. */
import type { ImportBatch } from '@passwordbroker/core/contract/entries/import';
import type { ExchangeTree, PlainContent, TreeEntry, TreeField } from '@passwordbroker/core/domain/exchange/tree';
import { utf8, type Bytes } from '@passwordbroker/core/crypto/bytes';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { sealPortion } from '@passwordbroker/core/domain/import/import-fields';
import { prepareImportInto, type EntryPlan, type ImportTarget } from '@passwordbroker/core/domain/import/import-into';
import type { Role } from '@passwordbroker/core/domain/policy';
import { joinGroup } from '../../testing/join-group.ts';
import { createSealedPlace, sealedField, type SealedPlace } from '../../testing/sealed-place.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import type { TestBatch } from './sealed-batch.ts';

const times = { created: null, modified: null };

const treeField = (content: PlainContent, ...former: readonly PlainContent[]): TreeField => ({
  type: content.type,
  revisions: [...former, content].map((one) => ({ content: one, at: null })),
});
const passwordOf = (value: string, title = 'Password', login = 'ada'): PlainContent => ({
  type: 'password',
  title,
  login,
  value,
});
const treeEntry = (group: number, title: string, own: readonly TreeField[]): TreeEntry => ({
  group,
  title,
  tags: ['imported'],
  expires: Date.UTC(2027, 0, 1),
  fields: own,
  ...times,
});

/** A group of ada and bob with a child; the group has an entry with a password. */
export interface IntoScene {
  readonly root: SealedPlace;
  readonly child: SealedPlace;
  readonly field: string;
  readonly targetOf: (place: SealedPlace) => ImportTarget;
}

/** @param role of the importer, who is no admin */
export async function intoScene(
  app: TestApp,
  [admin, importer]: readonly [SignedIn, SignedIn],
  role: Role = 'moderator',
): Promise<IntoScene> {
  const root = await createSealedPlace(admin, { name: 'Root' });
  const child = await createSealedPlace(admin, { name: 'Child', parent: root.g });
  for (const { g } of [root, child]) await joinGroup(app, g, importer, role);
  const body = await sealedField(root);
  await admin.call(fields.create, { params: { g: root.g, e: root.e }, body });
  const members = [
    { identity: admin.keyring.identity, role: 'admin' as const },
    { identity: importer.keyring.identity, role },
  ];
  const targetOf = ({ groupKey }: SealedPlace) => ({ groupKey, members });
  return { root, child, field: body.field_id, targetOf };
}

interface IntoOptions {
  readonly sameMembers?: boolean;
  /** A word in all titles. */
  readonly word?: string;
  /** Further entries of the root group. */
  readonly more?: number;
  /** Revision that the scene's field has. */
  readonly baseRev?: number;
}

const FILE: Bytes = utf8('plain file text');

/**
 * Entries in both groups and in a new one two levels below the root; the scene's entry gets another password, a note
 * and a file.
 */
export async function intoBatch(
  importer: SignedIn,
  { root, child, field, targetOf }: IntoScene,
  { sameMembers = true, word = 'Imported', more = 0, baseRev = 1 }: IntoOptions = {},
): Promise<TestBatch> {
  const file: PlainContent = { type: 'file', title: `${word} file`, name: 'a.txt', bytes: FILE };
  const tree: ExchangeTree = {
    groups: [
      { name: 'Root', parent: null, ...times },
      { name: 'Child', parent: 0, ...times },
      { name: `${word} group`, parent: 0, ...times },
      { name: `${word} deep`, parent: 2, ...times },
    ],
    entries: [
      treeEntry(0, `${word} first`, [treeField(passwordOf('new', word), passwordOf('old', word))]),
      treeEntry(1, `${word} second`, [treeField(file)]),
      treeEntry(3, `${word} third`, [treeField(passwordOf('deep', word))]),
      treeEntry(0, 'Entry', [
        treeField(passwordOf('another', 'Title')),
        treeField({ type: 'note', title: `${word} note`, value: 'n' }),
        treeField(file),
      ]),
      ...Array.from({ length: more }, (_, at) =>
        treeEntry(
          0,
          `${word} ${at}`,
          Array.from({ length: 3 }, () => treeField(passwordOf('x', word))),
        ),
      ),
    ],
    skipped: [{ kind: 'icon', reason: 'left out', count: 3 }],
  };
  const revised: EntryPlan = {
    entryGroupId: root.g,
    entryId: root.e,
    fields: [{ fieldId: field, baseRev }, 'add', 'add'],
  };
  const plan = {
    groups: [targetOf(root), targetOf(child), null, null],
    elsewhere: new Map<string, ImportTarget>(),
    entries: tree.entries.map((_, at): EntryPlan => (at === 3 ? revised : 'add')),
    sameMembers,
  };
  const { head, work } = await prepareImportInto(importer.keyring, tree, plan, { now: Date.UTC(2026, 2, 1) });
  const { fields: sealed, updates, bodies } = await sealPortion(work);
  const { type: _type, fields: _count, ...members } = head;
  return {
    // As the server reads it.
    batch: JSON.parse(JSON.stringify({ ...members, fields: sealed, updates })) as ImportBatch,
    bodies: Object.fromEntries(bodies.map(({ part, bytes }) => [part, bytes])),
  };
}
