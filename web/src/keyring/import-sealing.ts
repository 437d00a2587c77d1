/**
 * A KeePass file from its bytes to the sealed batch (docs/spec/api.md §3.10), inside the worker, with a second one beside it. The batch grows as text
 * portion by portion and ends as a Blob, so that the page never holds it, and never spends time on it.
 */
import { prepareImport, type SealedHead } from '@passwordbroker/core/domain/import/import-batch';
import { portionsOf, type FieldWork } from '@passwordbroker/core/domain/import/import-fields';
import { readKeepassXml } from '@passwordbroker/core/domain/keepass/read';
import { nextTurn } from '../lib/next-turn.ts';
import type { InputOf, SealedImport } from './calls.ts';
import { recordMade, requireAnswers } from './member-services.ts';
import { sealToText, type PortionText, type SealToText } from './portion-text.ts';
import type { OpenSession } from './open-session.ts';
import type { Served } from './remote.ts';
import { startSecondHands } from './second-hands.ts';

/** @throws KeepassError when the file is none, or broken */
export async function sealImport(
  session: Pick<OpenSession, 'keyring' | 'book'>,
  { file, rootName }: InputOf<'importKeepass'>,
  { signal, onProgress }: Served<'importKeepass'>,
): Promise<SealedImport> {
  requireAnswers(session);
  const { keyring } = session;
  const second = startSecondHands();
  try {
    const tree = await readKeepassXml(bytesOf(file, signal), {
      signal,
      onProgress: (done) => onProgress({ phase: 'reading', done, total: file.size }),
    });
    const { head, work } = await prepareImport(keyring, tree, { rootName, now: Date.now(), signal });
    // The second worker always has one portion waiting, so that it never stands idle between two.
    const hands = second === null ? [sealToText] : [sealToText, second.seal, second.seal];
    const portions = await sealAll(work, hands, signal, (done) =>
      onProgress({ phase: 'sealing', done, total: work.length }),
    );
    await recordMade(session, pathsOf(head.groups));
    const fields = portions.flatMap(({ fields: text }, at) => (at === 0 ? [text] : [',', text]));
    return {
      batch: new Blob([beginningOf(rootName, head), ...fields, ']}'], { type: 'application/json' }),
      bodies: portions.flatMap(({ bodies }) => bodies),
    };
  } finally {
    second?.end();
  }
}

/** The imported groups with their names from the root; parents come before their children. */
function pathsOf(groups: SealedHead['groups']) {
  const paths = new Map<string, readonly string[]>();
  return groups.map((wire) => {
    const { entry_group_id: groupId, parent_entry_group_id: parentId, name } = wire;
    const path = [...((parentId === undefined ? undefined : paths.get(parentId)) ?? []), name];
    paths.set(groupId, path);
    return { groupId, path, wire };
  });
}

/** Every pair of hands takes the next portion when it is done with one; the order of the file stays. */
async function sealAll(
  work: readonly FieldWork[],
  hands: readonly SealToText[],
  signal: AbortSignal,
  onDone: (fields: number) => void,
): Promise<PortionText[]> {
  const waiting = [...portionsOf(work)].entries();
  const portions: PortionText[] = [];
  let done = 0;
  const take = async (seal: SealToText) => {
    for (const [at, portion] of waiting) {
      signal.throwIfAborted();
      portions[at] = await seal(portion);
      done += portion.length;
      onDone(done);
      // The browser hands on what WebCrypto has done before any message: without a pause neither the second worker nor a cancel is heard until the end.
      await nextTurn();
    }
  };
  await Promise.all(hands.map(take));
  return portions;
}

/** Everything of the batch but its fields, and the bracket that they follow. */
function beginningOf(name: string, { groups, entries, skipped }: SealedHead): string {
  return `${JSON.stringify({ name, groups, entries, skipped }).slice(0, -1)},"fields":[`;
}

/** The file as it is read from the disk. */
async function* bytesOf(file: Blob, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      signal.throwIfAborted();
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
