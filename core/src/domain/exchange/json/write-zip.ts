import { ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';

export interface ZipPart {
  readonly name: string;
  readonly parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Files one after the other as a ZIP archive; one part is in memory at a time. */
export async function* writeZip(files: AsyncIterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = new ZipWriter(writable, { useWebWorkers: false, level: 6, keepOrder: true });
  const writing = (async () => {
    for await (const { name, parts } of files) await writer.add(name, streamOf(parts));
    await writer.close();
  })();
  // Its failure is thrown below, after what was read.
  writing.catch((error: unknown) => writable.abort(error).catch(() => undefined));
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    await writing;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function streamOf(parts: ZipPart['parts']): ReadableStream<Uint8Array> {
  const iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}
