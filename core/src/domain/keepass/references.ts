/** `{REF:P@I:…}`: a field of another entry in the same file. */
import { type Bytes, decodeBase64, encodeHex } from '../../crypto/bytes.ts';
import { LIMITS } from '../limits.ts';
import type { RawEntry, RawGroup } from './raw.ts';

const REFERENCE = /\{REF:([TUPANI])@([TUPANIO]):([^{}]*)\}/gi;
const KEYS: Readonly<Record<string, string>> = { T: 'Title', U: 'UserName', P: 'Password', A: 'URL', N: 'Notes' };
const STANDARD = new Set(Object.values(KEYS));

export const hasReference = (text: string): boolean => text.includes('{') && /\{REF:[TUPANI]@[TUPANIO]:/i.test(text);

/** A text with the values of the fields it refers to. What cannot be resolved stays as it is written. */
export type Resolve = (text: string) => string;

const MOST_DEEP = 8;
/** Of a whole file: references to references multiply. */
const MOST = { references: 100_000, characters: 4 * LIMITS.valueBytes } as const;

export function resolver(root: RawGroup): Resolve {
  let index: Map<string, RawEntry> | undefined;
  const left: { references: number; characters: number } = { ...MOST };

  const resolve = (text: string, above: readonly string[]): string =>
    text.replaceAll(REFERENCE, (written: string, wanted: string, by: string, name: string) => {
      if (above.length >= MOST_DEEP || above.includes(written)) return written;
      if ((left.references -= 1) < 0 || left.characters < 0) return written;
      const entry = (index ??= indexOf(root)).get(indexKey(by.toUpperCase(), name));
      const value = entry === undefined ? null : fieldOf(entry, wanted.toUpperCase());
      if (value === null) return written;
      const resolved = resolve(value, [...above, written]);
      left.characters -= resolved.length;
      return left.characters < 0 ? written : resolved;
    });
  return (text) => {
    if (!hasReference(text)) return text;
    const resolved = resolve(text, []);
    // A character has at most three bytes.
    return resolved.length * 3 <= LIMITS.valueBytes ? resolved : text;
  };
}

const indexKey = (by: string, name: string) => `${by}:${name.toLowerCase()}`;

const LONGEST_NAME = 1024;

/** The first entry with a value wins. */
function indexOf(root: RawGroup): Map<string, RawEntry> {
  const index = new Map<string, RawEntry>();
  const add = (by: string, name: string, entry: RawEntry) => {
    if (name.length > LONGEST_NAME) return;
    const key = indexKey(by, name);
    if (name !== '' && !index.has(key)) index.set(key, entry);
  };
  const walk = ({ entries, groups }: RawGroup) => {
    for (const entry of entries) {
      add('I', hexOf(entry.uuid), entry);
      for (const [by, key] of Object.entries(KEYS)) add(by, stringOf(entry, key) ?? '', entry);
      for (const { key, value } of entry.strings) if (!STANDARD.has(key)) add('O', value, entry);
    }
    for (const group of groups) walk(group);
  };
  walk(root);
  return index;
}

const stringOf = (entry: RawEntry, key: string) => entry.strings.findLast((string) => string.key === key)?.value;

function fieldOf(entry: RawEntry, wanted: string): string | null {
  if (wanted === 'I') return hexOf(entry.uuid).toUpperCase();
  return stringOf(entry, KEYS[wanted] ?? '') ?? null;
}

function hexOf(uuid: string): string {
  let bytes: Bytes;
  try {
    bytes = decodeBase64(uuid);
  } catch {
    return '';
  }
  return encodeHex(bytes);
}
