/** Turns what was read from a file into the sealed batch of an import. */
import {
  type ImportPlan,
  prepareImportInto,
  type SealedHeadInto,
} from '@passwordbroker/core/domain/import/import-into';
import { type Preparing, prepareImport, type SealedHead } from '@passwordbroker/core/domain/import/import-batch';
import { IMPORT_PARTS, LIMITS } from '@passwordbroker/core/domain/limits';
import { portionsOf, sealPortion, type FieldWork } from '@passwordbroker/core/domain/import/import-fields';
import { EXCHANGE_LIMITS, ExchangeError } from '@passwordbroker/core/domain/exchange/exchange-error';
import type { ExchangeTree } from '@passwordbroker/core/domain/exchange/tree';
import { nextTurn } from '../../transport/waiting.ts';
import type { InputOf } from '../calls.ts';
import type { SealedImport, SealedPart } from './import-calls.ts';
import { recordMade, remainingMembers, requireAnswers } from '../groups/member-services.ts';
import { heldGroupOf, type OpenSession, sealingKeyOf } from '../open-session.ts';
import type { Revising, Sealable } from './revising.ts';
import type { Served } from '../remote.ts';

type HowToSeal = Omit<InputOf<'sealImport'>, 'handle'> & { readonly revising?: Revising | null };

/** @throws ExchangeError 'too_large'; the signal's reason; those of `requireAnswers` */
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
      : await prepareInto(session, tree, { without, into, revising: revising?.only(into.revise) ?? null }, options);
  const portions = await sealAll(work, signal, (done) => onProgress({ phase: 'sealing', done, total: work.length }));
  await recordMade(session, pathsOf(head.groups, into?.paths));
  const updates = portions.flatMap((portion) => portion.updates);
  const end = into === undefined ? [']}'] : ['],"updates":[', ...joined(updates), ']}'];
  const bodies = portions.flatMap((portion) => portion.bodies);
  const fields = portions.flatMap((portion) => portion.fields);
  const parts = partsOf({ beginning: beginningOf(rootName, head), fields, end, bodies });
  // The server takes what goes into existing entries from one request only.
  const most = (into?.revise.length ?? 0) > 0 ? 1 : IMPORT_PARTS;
  if (parts.some(({ size }) => size > LIMITS.importBytes)) throw tooLarge(LIMITS.importBytes);
  if (parts.length > most) throw tooLarge(most * LIMITS.importBytes);
  return { parts };
}

const tooLarge = (bytes: number) =>
  new ExchangeError(
    'too_large',
    `Encrypted, this import is larger than ${bytes / 1024 ** 2} MiB. Export your data in smaller parts, for example without the largest attachments, and import them one by one.`,
  );

/** Texts of list elements with commas between. */
const joined = (texts: readonly Blob[]) => texts.flatMap((text, at) => (at === 0 ? [text] : [',', text]));

/** Of a form around a body: boundary, name, headers. */
const AROUND_BODY = 512;

interface Sealed {
  readonly beginning: string;
  readonly fields: readonly Blob[];
  readonly end: readonly (string | Blob)[];
  readonly bodies: SealedPart['bodies'];
}

/** Parts of at most `LIMITS.importBytes`; a larger piece is a part of its own, which the caller refuses. */
function partsOf({ beginning, fields, end, bodies }: Sealed): readonly SealedPart[] {
  const pieces = [
    ...fields.map((text) => ({ size: text.size + 1, text: [text], bodies: [] })),
    ...bodies.map((body) => ({ size: body.body.size + AROUND_BODY, text: [], bodies: [body] })),
  ];
  const first = new Blob([beginning, ...end]).size + AROUND_BODY;
  return packed(pieces, first).map((some, at) => {
    const texts = some.flatMap(({ text }) => text);
    const frame = at === 0 ? [beginning, ...joined(texts), ...end] : ['{"fields":[', ...joined(texts), ']}'];
    const batch = at === 0 || texts.length > 0 ? new Blob(frame, { type: 'application/json' }) : null;
    const size = some.reduce((sum, piece) => sum + piece.size, at === 0 ? first : AROUND_BODY);
    return { batch, bodies: some.flatMap((piece) => piece.bodies), size };
  });
}

/** Groups for one request each: of its bytes and bodies. @param first bytes of the first group before its pieces */
function packed<Piece extends { readonly size: number; readonly bodies: readonly unknown[] }>(
  pieces: readonly Piece[],
  first: number,
): readonly (readonly Piece[])[] {
  let group: Piece[] = [];
  let size = first;
  let bodies = 0;
  const groups = [group];
  for (const piece of pieces) {
    const isTooLarge = size + piece.size > LIMITS.importBytes && size > AROUND_BODY;
    if (isTooLarge || bodies + piece.bodies.length > EXCHANGE_LIMITS.fileCount) {
      groups.push((group = []));
      size = AROUND_BODY;
      bodies = 0;
    }
    group.push(piece);
    size += piece.size;
    bodies += piece.bodies.length;
  }
  return groups;
}

function withoutSome(tree: ExchangeTree, without: readonly number[]): ExchangeTree {
  if (without.length === 0) return tree;
  const out = new Set(without);
  return { ...tree, entries: tree.entries.filter((_, at) => !out.has(at)) };
}

interface Into {
  readonly without: readonly number[];
  readonly into: NonNullable<InputOf<'sealImport'>['into']>;
  readonly revising: Sealable | null;
}

/**
 * @throws KeyringError 'key_mismatch' for a group that was not opened; ExchangeError 'gone' for an entry to revise that
 * is not of the last comparison; those of `remainingMembers`
 */
async function prepareInto(
  session: OpenSession,
  tree: ExchangeTree,
  { without, into: { groups, listed, revise }, revising }: Into,
  options: Preparing,
) {
  const targetOf = async (groupId: string | null) => {
    if (groupId === null) return null;
    const held = heldGroupOf(session, groupId);
    const members = listed === null ? [] : await remainingMembers(session, held, listed[groupId] ?? []);
    return { groupKey: sealingKeyOf(held), members };
  };
  const out = new Set(without);
  const revised = new Set(revise);
  const planOf = (at: number) => {
    if (!revised.has(at)) return 'add';
    const own = revising?.planOf(at) ?? null;
    if (own === null) throw ExchangeError.gone();
    return own;
  };
  const plan: ImportPlan = {
    groups: await Promise.all(groups.map(targetOf)),
    elsewhere: new Map(),
    entries: tree.entries.map((_, at) => (out.has(at) ? 'skip' : planOf(at))),
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
  /** JSON without the brackets; none for an empty list. */
  readonly fields: readonly Blob[];
  readonly updates: readonly Blob[];
  readonly bodies: SealedPart['bodies'];
}

const elementsOf = (list: readonly unknown[]) =>
  list.length === 0 ? [] : [new Blob([JSON.stringify(list).slice(1, -1)])];

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
      fields: elementsOf(fields),
      updates: elementsOf(updates),
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
