/** Times as KeePass writes them: ISO 8601, or base64 of the seconds since the year 1. */
const SECONDS_TO_1970 = 62_135_596_800;

/** Milliseconds since 1970, or null for what is no plausible time. */
export function readKeepassTime(text: string): number | null {
  if (text === '') return null;
  const ms = /^\d{4}-/.test(text) ? Date.parse(text) : packedTime(text);
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? ms : null;
}

function packedTime(text: string): number {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    if (bytes.length !== 8) return Number.NaN;
    return (Number(new DataView(bytes.buffer).getBigInt64(0, true)) - SECONDS_TO_1970) * 1000;
  } catch {
    return Number.NaN;
  }
}
