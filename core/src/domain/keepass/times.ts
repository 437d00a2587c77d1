/** Times as KeePass writes them: ISO 8601, or base64 of the seconds since the year 1. */
import { decodeBase64 } from '../../crypto/bytes.ts';

const SECONDS_TO_1970 = 62_135_596_800;
/** 9999-12-31T23:59:59Z: what has a year of four digits. */
const LATEST_MS = 253_402_300_799_000;

/** Milliseconds since 1970, or null for what is no plausible time. */
export function readKeepassTime(text: string): number | null {
  if (text === '') return null;
  const ms = /^\d{4}-/.test(text) ? Date.parse(text) : packedTime(text);
  return Math.abs(ms) <= LATEST_MS ? ms : null;
}

function packedTime(text: string): number {
  try {
    const bytes = decodeBase64(text);
    if (bytes.length !== 8) return Number.NaN;
    return (Number(new DataView(bytes.buffer).getBigInt64(0, true)) - SECONDS_TO_1970) * 1000;
  } catch {
    return Number.NaN;
  }
}
