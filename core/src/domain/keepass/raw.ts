import { type Bytes, decodeBase64 } from '../../crypto/bytes.ts';
import { distinctTags, readDay, tagProblem, writeDay } from '../entry-marks.ts';
import { LIMITS } from '../limits.ts';

export interface RawTimes {
  created: string;
  modified: string;
  expires: string;
  expiry: string;
}

export interface RawString {
  key: string;
  value: string;
  isProtected: boolean;
}

/** Bytes or base64, of gzip data if compressed. */
export interface PackedAttachment {
  content: string | Bytes;
  isCompressed: boolean;
}

export interface RawBinary {
  name: string;
  /** Id in the file's pool; null if the bytes are inline. */
  ref: string | null;
  packed: PackedAttachment;
}

export interface RawUnsupported {
  kind: 'sequence' | 'association' | 'custom' | 'colour' | 'icon';
  /** Of a custom value, or an association's window. */
  key: string;
  value: string;
}

export interface RawEntry {
  /** Base64; '' in test files alone. */
  uuid: string;
  times: RawTimes;
  tags: string;
  overrideUrl: string;
  unsupported: RawUnsupported[];
  strings: RawString[];
  binaries: RawBinary[];
  history: RawEntry[];
}

export interface RawGroup {
  uuid: string;
  name: string;
  notes: string;
  tags: string;
  times: RawTimes;
  unsupported: RawUnsupported[];
  groups: RawGroup[];
  entries: RawEntry[];
}

export interface RawFile {
  root: RawGroup;
  recycleBin: string;
  /** Base64 of the SHA-256 of the header around it, in KDBX 3.1. */
  headerHash: string;
  pool: Map<string, PackedAttachment>;
  icons: number;
  description: string;
  unsupported: RawUnsupported[];
}

const noTimes = (): RawTimes => ({ created: '', modified: '', expires: '', expiry: '' });
export const newGroup = (): RawGroup => ({
  uuid: '',
  name: '',
  notes: '',
  tags: '',
  times: noTimes(),
  unsupported: [],
  groups: [],
  entries: [],
});
export const newEntry = (): RawEntry => ({
  uuid: '',
  times: noTimes(),
  tags: '',
  overrideUrl: '',
  unsupported: [],
  strings: [],
  binaries: [],
  history: [],
});
export const newBinary = (): RawBinary => ({ name: '', ref: null, packed: { content: '', isCompressed: false } });
export const newFile = (): RawFile => ({
  root: newGroup(),
  recycleBin: '',
  headerHash: '',
  pool: new Map(),
  icons: 0,
  description: '',
  unsupported: [],
});

const SECONDS_TO_1970 = 62_135_596_800;
/** 9999-12-31T23:59:59Z */
const LATEST_MS = 253_402_300_799_000;

/** ISO 8601, or base64 of the seconds since the year 1. Returns milliseconds since 1970, or null. */
export function readKeepassTime(text: string): number | null {
  if (text === '') return null;
  const ms = /^\d{4}-/.test(text) ? Date.parse(text) : packedTime(text);
  return Math.abs(ms) <= LATEST_MS ? ms : null;
}

function packedTime(text: string): number {
  try {
    const bytes = decodeBase64(text);
    if (bytes.length !== 8) return Number.NaN;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    // Exact up to 2^53; later times are refused.
    return (view.getUint32(0, true) + view.getInt32(4, true) * 2 ** 32 - SECONDS_TO_1970) * 1000;
  } catch {
    return Number.NaN;
  }
}

/** 'a;b' (KeePass) or 'a,b' (KeePassXC). */
export const tagsOf = (text: string): string[] =>
  text
    .split(/[;,]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** The day on which an entry expires, if it can be a due date. */
export function expiryDay({ times }: Pick<RawEntry, 'times'>): number | null {
  const expiry = expiryOf({ times });
  return expiry === null ? null : readDay(writeDay(expiry));
}

export const expiryOf = ({ times }: Pick<RawEntry, 'times'>): number | null =>
  /^true$/i.test(times.expires) ? readKeepassTime(times.expiry) : null;

/** Those that an entry can have here; the others stay in a note. */
export const holdableTags = (text: string): readonly string[] =>
  text === '' ? [] : distinctTags(tagsOf(text).filter((tag) => tagProblem(tag) === null)).slice(0, LIMITS.entryTags);
