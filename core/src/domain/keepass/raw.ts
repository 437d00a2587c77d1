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

export interface RawEntry {
  times: RawTimes;
  tags: string;
  strings: RawString[];
  binaries: RawBinary[];
  /** Former versions, as they stand in the file. */
  history: RawEntry[];
}

export interface RawGroup {
  uuid: string;
  name: string;
  notes: string;
  times: RawTimes;
  groups: RawGroup[];
  entries: RawEntry[];
}

export interface RawFile {
  root: RawGroup;
  recycleBin: string;
  pool: Map<string, PackedAttachment>;
  icons: number;
}

const noTimes = (): RawTimes => ({ created: '', modified: '', expires: '', expiry: '' });
export const newGroup = (): RawGroup => ({ uuid: '', name: '', notes: '', times: noTimes(), groups: [], entries: [] });
export const newEntry = (): RawEntry => ({ times: noTimes(), tags: '', strings: [], binaries: [], history: [] });
export const newBinary = (): RawBinary => ({ name: '', ref: null, packed: { text: '', isCompressed: false } });
export const newFile = (): RawFile => ({ root: newGroup(), recycleBin: '', pool: new Map(), icons: 0 });
