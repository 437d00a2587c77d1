/** Turns what was read from a file into the sealed batch of an import. */
import { prepareImport, type SealedHead } from '@passwordbroker/core/domain/import/import-batch';
import { portionsOf, sealPortion, type FieldWork } from '@passwordbroker/core/domain/import/import-fields';
import type { ExchangeTree } from '@passwordbroker/core/domain/exchange/tree';
import { nextTurn } from '../../transport/waiting.ts';
import type { InputOf } from '../calls.ts';
import type { SealedImport } from './import-calls.ts';
import { recordMade, requireAnswers } from '../groups/member-services.ts';
import type { OpenSession } from '../open-session.ts';
import type { Served } from '../remote.ts';

/** @throws the signal's reason; those of `requireAnswers` */
export async function sealImport(
  session: Pick<OpenSession, 'keyring' | 'book'>,
  tree: ExchangeTree,
  { rootName, without }: Omit<InputOf<'sealImport'>, 'handle'>,
  { signal, onProgress }: Served<'sealImport'>,
): Promise<SealedImport> {
  await requireAnswers(session);
  const { keyring } = session;
  const { head, work } = await prepareImport(keyring, withoutSome(tree, without), {
    rootName,
    now: Date.now(),
    signal,
  });
  const portions = await sealAll(work, signal, (done) => onProgress({ phase: 'sealing', done, total: work.length }));
  await recordMade(session, pathsOf(head.groups));
  const fields = portions.flatMap(({ fields: text }, at) => (at === 0 ? [text] : [',', text]));
  return {
    batch: new Blob([beginningOf(rootName, head), ...fields, ']}'], { type: 'application/json' }),
    bodies: portions.flatMap(({ bodies }) => bodies),
  };
}

function withoutSome(tree: ExchangeTree, without: readonly number[]): ExchangeTree {
  if (without.length === 0) return tree;
  const out = new Set(without);
  return { ...tree, entries: tree.entries.filter((_, at) => !out.has(at)) };
}

/** Parents come before their children. */
function pathsOf(groups: SealedHead['groups']) {
  const paths = new Map<string, readonly string[]>();
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
    const { fields, bodies } = await sealPortion(portion);
    portions.push({
      fields: JSON.stringify(fields).slice(1, -1),
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
function beginningOf(name: string, { groups, entries, skipped }: SealedHead): string {
  const said = skipped.map(({ kind, reason, count }) => ({ kind, reason, count }));
  return `${JSON.stringify({ name, groups, entries, skipped: said }).slice(0, -1)},"fields":[`;
}
