/** Turns a KeePass file into the sealed batch of an import. */
import { prepareImport, type SealedHead } from '@passwordbroker/core/domain/import/import-batch';
import { portionsOf, sealPortion, type FieldWork } from '@passwordbroker/core/domain/import/import-fields';
import { readKeepassXml } from '@passwordbroker/core/domain/keepass/read';
import { nextTurn } from '../../transport/waiting.ts';
import type { InputOf, SealedImport } from '../calls.ts';
import { recordMade, requireAnswers } from '../groups/member-services.ts';
import type { OpenSession } from '../open-session.ts';
import type { Served } from '../remote.ts';

/** @throws KeepassError for an invalid file; the signal's reason */
export async function sealImport(
  session: Pick<OpenSession, 'keyring' | 'book'>,
  { file, rootName }: InputOf<'importKeepass'>,
  { signal, onProgress }: Served<'importKeepass'>,
): Promise<SealedImport> {
  await requireAnswers(session);
  const { keyring } = session;
  const tree = await readKeepassXml(bytesOf(file, signal), {
    signal,
    onProgress: (done) => onProgress({ phase: 'reading', done, total: file.size }),
  });
  const { head, work } = await prepareImport(keyring, tree, { rootName, now: Date.now(), signal });
  const portions = await sealAll(work, signal, (done) => onProgress({ phase: 'sealing', done, total: work.length }));
  await recordMade(session, pathsOf(head.groups));
  const fields = portions.flatMap(({ fields: text }, at) => (at === 0 ? [text] : [',', text]));
  return {
    batch: new Blob([beginningOf(rootName, head), ...fields, ']}'], { type: 'application/json' }),
    bodies: portions.flatMap(({ bodies }) => bodies),
  };
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

function beginningOf(name: string, { groups, entries, skipped }: SealedHead): string {
  return `${JSON.stringify({ name, groups, entries, skipped }).slice(0, -1)},"fields":[`;
}

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
