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

/** Base64, of gzip data if compressed. */
export interface PackedAttachment {
  text: string;
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
  times: noTimes(),
  tags: '',
  overrideUrl: '',
  unsupported: [],
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
  unsupported: [],
});
