import { readKeepassXml } from '../../keepass/read.ts';
import { EXCHANGE_LIMITS as LIMITS, ExchangeError } from '../exchange-error.ts';
import type { Read } from '../formats.ts';
import { damaged } from './byte-reader.ts';
import { openKdbx } from './open-kdbx.ts';

/** KDBX 3.1, 4.0 and 4.1. */
export const readKdbx: Read = async (file, given, options) => {
  if (file.size > LIMITS.bytes) throw ExchangeError.largerThan(LIMITS.bytes);
  const { xml, inner, pool, headerHash } = await openKdbx(new Uint8Array(await file.arrayBuffer()), given, options);
  const limits = { bytes: LIMITS.unpackedText, entries: LIMITS.entries };
  try {
    return await readKeepassXml(xml, { signal: options.signal, around: { inner, pool, limits, headerHash } });
  } catch (error) {
    const isOther = error instanceof ExchangeError && (error.code === 'not_keepass' || error.code === 'empty');
    throw isOther ? damaged() : error;
  }
};
