/** Sends an import that is too large for one request; loaded when there is one. */
import { dropParts, putPart, startParts, storeParts } from '@passwordbroker/core/contract/entries/import-parts';
import type { Http } from '../../transport/http.ts';
import type { ImportOptions, Imported } from '../vault.ts';

interface Sending {
  /** Of the last request. */
  readonly silenceMs: number;
  readonly signal: ImportOptions['signal'];
  readonly onProgress: ImportOptions['onProgress'] | undefined;
}

/** Nothing is stored unless all parts arrive. @throws AppError; NetworkError; the signal's reason */
export async function sendParts(
  http: Http,
  parts: readonly { readonly form: FormData; readonly size: number }[],
  { silenceMs, signal, onProgress }: Sending,
): Promise<Imported> {
  const total = parts.reduce((sum, { size }) => sum + size, 0);
  const { import_id: importId } = await http.call(startParts, { body: { parts: parts.length, bytes: total }, signal });
  try {
    let sent = 0;
    for (const [at, { form, size }] of parts.entries()) {
      const params = { importId, part: String(at + 1) };
      const onSent = (done: number) => onProgress?.({ phase: 'uploading', done: sent + done, total });
      await http.call(putPart, { params, form, signal, onSent });
      sent += size;
    }
    onProgress?.({ phase: 'storing', done: total, total });
    return await http.call(storeParts, { params: { importId }, signal, silenceMs });
  } catch (error) {
    // Otherwise its space is free after an hour.
    http.call(dropParts, { params: { importId } }).catch(() => undefined);
    throw error;
  }
}
