/**
 * Everything that a page stores, as bytes to search: `kept` has IndexedDB, local and session storage and
 * cookies visible to scripts; `client` has Cache Storage.
 */
import type { Page } from 'playwright-core';

export async function storageOf(page: Page): Promise<{ readonly kept: Buffer; readonly client: Buffer }> {
  const pieces = await page.evaluate(async () => {
    const found = { kept: [] as string[], client: [] as string[] };
    let into = found.kept;
    const keep = (bytes: Uint8Array) => {
      let text = '';
      for (const byte of bytes) text += String.fromCharCode(byte);
      into.push(btoa(text));
    };
    const keepText = (text: string) => keep(new TextEncoder().encode(text));
    const walk = async (value: unknown, depth = 0): Promise<void> => {
      if (depth > 12 || value === null || value === undefined) return;
      if (typeof value === 'string') return keepText(value);
      if (value instanceof ArrayBuffer) return keep(new Uint8Array(value));
      if (ArrayBuffer.isView(value)) return keep(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      if (value instanceof Blob) return keep(new Uint8Array(await value.arrayBuffer()));
      if (value instanceof CryptoKey) {
        if (value.extractable) keepText(`an extractable key: ${value.algorithm.name}`);
        return;
      }
      if (typeof value === 'object') for (const one of Object.values(value)) await walk(one, depth + 1);
    };
    const answerOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB'));
      });
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answerOf(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([answerOf(rows.getAllKeys()), answerOf(rows.getAll())]);
        for (const one of [...keys, ...(values as unknown[])]) await walk(one);
      }
      database.close();
    }
    for (const storage of [localStorage, sessionStorage]) keepText(JSON.stringify(storage));
    keepText(document.cookie);
    into = found.client;
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        keepText(request.url);
        const kept = await cache.match(request);
        if (kept !== undefined) keep(new Uint8Array(await kept.arrayBuffer()));
      }
    }
    return found;
  });
  const joined = (all: readonly string[]) =>
    Buffer.concat(all.flatMap((piece) => [Buffer.from(piece, 'base64'), Buffer.from('\n')]));
  return { kept: joined(pieces.kept), client: joined(pieces.client) };
}

/** A heap snapshot: every string of the page that something still references. Workers are not part of it. */
export async function memoryOf(page: Page): Promise<Buffer> {
  const tools = await page.context().newCDPSession(page);
  const parts: string[] = [];
  tools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void parts.push(chunk));
  await tools.send('HeapProfiler.collectGarbage');
  await tools.send('HeapProfiler.takeHeapSnapshot');
  await tools.detach();
  return Buffer.from(parts.join(''));
}
