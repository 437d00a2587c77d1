/** What stands in a KeePass file, before it is turned into entries and fields. */

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

/** Base64 text, of gzip when it is compressed. */
export interface PackedAttachment {
  text: string;
  isCompressed: boolean;
}

export interface RawBinary {
  name: string;
  /** Id in the file's pool, or null for bytes that stand here. */
  ref: string | null;
  packed: PackedAttachment;
}

/** What the vault has no place for. It is read all the same, so that the summary can say that it was left out (`asides.ts`). */
export interface RawAside {
  kind: 'sequence' | 'association' | 'custom' | 'colour' | 'icon';
  /** Of a custom value its key, of an association its window. */
  key: string;
  value: string;
}

export interface RawEntry {
  times: RawTimes;
  tags: string;
  overrideUrl: string;
  asides: RawAside[];
  strings: RawString[];
  binaries: RawBinary[];
  /** Former versions, as they stand in the file. */
  history: RawEntry[];
}

export interface RawGroup {
  uuid: string;
  name: string;
  notes: string;
  tags: string;
  times: RawTimes;
  asides: RawAside[];
  groups: RawGroup[];
  entries: RawEntry[];
}

export interface RawFile {
  root: RawGroup;
  recycleBin: string;
  pool: Map<string, PackedAttachment>;
  icons: number;
  description: string;
  asides: RawAside[];
}

const noTimes = (): RawTimes => ({ created: '', modified: '', expires: '', expiry: '' });
export const newGroup = (): RawGroup => ({
  uuid: '',
  name: '',
  notes: '',
  tags: '',
  times: noTimes(),
  asides: [],
  groups: [],
  entries: [],
});
export const newEntry = (): RawEntry => ({
  times: noTimes(),
  tags: '',
  overrideUrl: '',
  asides: [],
  strings: [],
  binaries: [],
  history: [],
});
export const newBinary = (): RawBinary => ({ name: '', ref: null, packed: { text: '', isCompressed: false } });
export const newFile = (): RawFile => ({
  root: newGroup(),
  recycleBin: '',
  pool: new Map(),
  icons: 0,
  description: '',
  asides: [],
});
