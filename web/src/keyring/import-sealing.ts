/**
 * A KeePass file from its bytes to the sealed batch (`api.md` §3.10), inside the worker. The batch grows as text portion by portion and ends as a
 * Blob, so that the page never holds it, and never spends time on it.
 */
import { readKeepassXml } from '@passwordbroker/core/domain/keepass/read';
import { sealImport as sealTree, type SealedHead } from '@passwordbroker/core/domain/import-batch';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import type { InputOf, SealedImport } from './calls.ts';
import type { Served } from './remote.ts';

/** @throws KeepassError when the file is none, or broken */
export async function sealImport(
  keyring: Keyring,
  { file, rootName }: InputOf<'importKeepass'>,
  { signal, onProgress }: Served<'importKeepass'>,
): Promise<SealedImport> {
  const tree = await readKeepassXml(bytesOf(file, signal), {
    signal,
    onProgress: (done) => onProgress({ phase: 'reading', done, total: file.size }),
  });
  const text: string[] = [];
  const bodies: { name: string; body: Blob }[] = [];
  const sealed = sealTree(keyring, tree, {
    rootName,
    now: Date.now(),
    signal,
    onProgress: (done, total) => onProgress({ phase: 'sealing', done, total }),
  });
  let isFirst = true;
  for await (const part of sealed) {
    if (part.type === 'head') {
      text.push(beginningOf(rootName, part));
      continue;
    }
    const fields = JSON.stringify(part.fields).slice(1, -1);
    if (fields !== '') text.push(isFirst ? fields : `,${fields}`);
    isFirst &&= fields === '';
    for (const { part: name, bytes } of part.bodies) bodies.push({ name, body: new Blob([bytes]) });
  }
  text.push(']}');
  return { batch: new Blob(text, { type: 'application/json' }), bodies };
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
