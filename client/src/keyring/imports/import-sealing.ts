/** Turns what was read from a file into the sealed batch of an import. */
import {
  type ImportPlan,
  prepareImportInto,
  type SealedHeadInto,
} from '@passwordbroker/core/domain/import/import-into';
import { type Preparing, prepareImport, type SealedHead } from '@passwordbroker/core/domain/import/import-batch';
import { portionsOf, sealPortion, type FieldWork } from '@passwordbroker/core/domain/import/import-fields';
import type { ExchangeTree } from '@passwordbroker/core/domain/exchange/tree';
import { nextTurn } from '../../transport/waiting.ts';
import type { InputOf } from '../calls.ts';
import type { SealedImport } from './import-calls.ts';
import { recordMade, remainingMembers, requireAnswers } from '../groups/member-services.ts';
import { heldGroupOf, type OpenSession, sealingKeyOf } from '../open-session.ts';
import type { Revising } from './revising.ts';
import type { Served } from '../remote.ts';

type HowToSeal = Omit<InputOf<'sealImport'>, 'handle'> & { readonly revising?: Revising | null };

/** @throws the signal's reason; those of `requireAnswers` */
export async function sealImport(
  session: OpenSession,
  tree: ExchangeTree,
  { rootName, without, into, revising = null }: HowToSeal,
  { signal, onProgress }: Served<'sealImport'>,
): Promise<SealedImport> {
  await requireAnswers(session);
  const { keyring } = session;
  const options = { now: Date.now(), signal };
  const { head, work } =
    into === undefined
      ? await prepareImport(keyring, withoutSome(tree, without), { rootName, ...options })
      : await prepareInto(session, tree, { without, into, revising: into.isRevising ? revising : null }, options);
  const portions = await sealAll(work, signal, (done) => onProgress({ phase: 'sealing', done, total: work.length }));
  await recordMade(session, pathsOf(head.groups, into?.paths));
  const fields = joined(portions.map((portion) => portion.fields));
  const updates = joined(portions.map((portion) => portion.updates));
  const end = into === undefined ? [']}'] : ['],"updates":[', ...updates, ']}'];
  return {
    batch: new Blob([beginningOf(rootName, head), ...fields, ...end], { type: 'application/json' }),
    bodies: portions.flatMap(({ bodies }) => bodies),
  };
}

/** Texts of list elements with commas between; empty ones are left out. */
const joined = (texts: readonly string[]): string[] =>
  texts.filter((text) => text !== '').flatMap((text, at) => (at === 0 ? [text] : [',', text]));

function withoutSome(tree: ExchangeTree, without: readonly number[]): ExchangeTree {
  if (without.length === 0) return tree;
  const out = new Set(without);
  return { ...tree, entries: tree.entries.filter((_, at) => !out.has(at)) };
}

interface Into {
  readonly without: readonly number[];
  readonly into: NonNullable<InputOf<'sealImport'>['into']>;
  readonly revising: Revising | null;
}

/** @throws KeyringError 'key_mismatch' for a group that was not opened; those of `remainingMembers` */
async function prepareInto(
  session: OpenSession,
  tree: ExchangeTree,
  { without, into: { groups, listed }, revising }: Into,
  options: Preparing,
) {
  const targetOf = async (groupId: string | null) => {
    if (groupId === null) return null;
    const held = heldGroupOf(session, groupId);
    const members = listed === null ? [] : await remainingMembers(session, held, listed[groupId] ?? []);
    return { groupKey: sealingKeyOf(held), members };
  };
  const out = new Set(without);
  const plan: ImportPlan = {
    groups: await Promise.all(groups.map(targetOf)),
    elsewhere: new Map(),
    entries: tree.entries.map((_, at) => (out.has(at) ? 'skip' : (revising?.planOf(at) ?? 'add'))),
    sameMembers: listed !== null,
  };
  return prepareImportInto(session.keyring, revising?.tree() ?? tree, plan, options);
}

/** Parents come before their children. */
function pathsOf(groups: SealedHead['groups'], known: Readonly<Record<string, readonly string[]>> = {}) {
  const paths = new Map(Object.entries(known));
  return groups.map((wire) => {
    const { entry_group_id: groupId, parent_entry_group_id: parentId, name } = wire;
    const path = [...((parentId === undefined ? undefined : paths.get(parentId)) ?? []), name];
    paths.set(groupId, path);
    return { groupId, path, wire };
  });
}

interface PortionText {
  /** JSON without the brackets. */
  readonly fields: string;
  readonly updates: string;
  /** By part name. */
  readonly bodies: readonly { readonly name: string; readonly body: Blob }[];
}

async function sealAll(
  work: readonly FieldWork[],
  signal: AbortSignal,
  onDone: (fields: number) => void,
): Promise<PortionText[]> {
  const portions: PortionText[] = [];
  let done = 0;
  for (const portion of portionsOf(work)) {
    signal.throwIfAborted();
    const { fields, updates, bodies } = await sealPortion(portion);
    portions.push({
      fields: JSON.stringify(fields).slice(1, -1),
      updates: JSON.stringify(updates).slice(1, -1),
      bodies: bodies.map(({ part, bytes }) => ({ name: part, body: new Blob([bytes]) })),
    });
    done += portion.length;
    onDone(done);
    // Browsers deliver WebCrypto results before messages: without a pause `cancel` would wait for the end.
    await nextTurn();
  }
  return portions;
}

/** Without the places of what was left out: they are titles, which are shown here only. */
function beginningOf(
  name: string,
  { type: _type, fields: _fields, skipped, ...head }: SealedHead | SealedHeadInto,
): string {
  const said = skipped.map(({ kind, reason, count }) => ({ kind, reason, count }));
  const begin = 'into' in head ? { ...head, skipped: said } : { name, ...head, skipped: said };
  return `${JSON.stringify(begin).slice(0, -1)},"fields":[`;
}
