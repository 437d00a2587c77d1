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

export interface RawBinary {
  name: string;
  /** Id in the file's pool, or null for bytes that stand here. */
  ref: string | null;
  /** Base64 text. */
  text: string;
  isCompressed: boolean;
}

export interface RawEntry {
  times: RawTimes;
  tags: string;
  strings: RawString[];
  binaries: RawBinary[];
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
  recycleBin: { isOn: boolean; uuid: string };
  /** Attachments by id. */
  pool: Map<string, Omit<RawBinary, 'name' | 'ref'>>;
}

const noTimes = (): RawTimes => ({ created: '', modified: '', expires: '', expiry: '' });
export const newGroup = (): RawGroup => ({ uuid: '', name: '', notes: '', times: noTimes(), groups: [], entries: [] });
export const newEntry = (): RawEntry => ({ times: noTimes(), tags: '', strings: [], binaries: [], history: [] });
