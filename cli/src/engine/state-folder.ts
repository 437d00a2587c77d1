/** What this device keeps: the server, tokens and accepted trust records, in files for the owner alone. Never a key or a value. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DeviceRow, DeviceStore } from '@passwordbroker/client/keyring/trust/own-copy';
import type { PlainStore, TokenRecord, TokenRecords } from '@passwordbroker/client/platform';
import { clientId } from '@passwordbroker/client/session/client-id';
import { CommandError, EXIT } from '../failure.ts';

export interface StateFolder {
  readonly path: string;
  readonly plain: PlainStore;
  readonly tokens: TokenRecords;
  readonly deviceStore: DeviceStore;
}

/** `PB_STATE_DIR`, else `passwordbroker` in the state folder of the system. */
export function statePath(environment: NodeJS.ProcessEnv): string {
  const own = environment['PB_STATE_DIR'];
  if (own !== undefined && own !== '') return resolve(own);
  const base = environment['XDG_STATE_HOME'];
  return join(base !== undefined && base !== '' ? base : join(homedir(), '.local', 'state'), 'passwordbroker');
}

const FILES = ['settings.json', 'tokens.json', 'trust.json'] as const;

/** Makes the folder if it is missing. @throws CommandError if other accounts can read it or a file is damaged */
export function openStateFolder(path: string): StateFolder {
  makeStateFolder(path);
  for (const name of FILES) requirePrivate(join(path, name));
  const settings = jsonFile<string>(join(path, FILES[0]));
  const tokens = jsonFile<TokenRecord>(join(path, FILES[1]));
  const records = jsonFile<DeviceRow>(join(path, FILES[2]));
  for (const file of [settings, tokens, records]) file.read();
  const plain: PlainStore = {
    getItem: (key) => settings.read()[key] ?? null,
    setItem: (key, value) => settings.write({ ...settings.read(), [key]: value }),
    removeItem(key) {
      const { [key]: _, ...rest } = settings.read();
      settings.write(rest);
    },
  };
  return {
    path,
    plain,
    tokens: tokenRecords(tokens, () => plain),
    deviceStore: {
      record: async (place) => records.read()[place] ?? null,
      async replaceRecord(place, version, next) {
        const all = records.read();
        if ((all[place]?.version ?? 0) !== version) return false;
        records.write({ ...all, [place]: next });
        return true;
      },
      // Only browsers have records of release 1.0.
      rosters: async () => null,
      seenPins: async () => null,
    },
  };
}

/** @throws CommandError if it cannot be made, or other accounts can read it */
export function makeStateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  requirePrivate(path);
}

/** Removes everything that this device keeps, accepted trust records too. */
export const forgetState = (path: string): void => rmSync(path, { recursive: true, force: true });

/**
 * Of a file or folder, if there is one. A symbolic link has to be of this account, as what it names.
 * @throws CommandError if another account may read or change it
 */
export function requirePrivate(path: string): void {
  if (process.platform === 'win32') return;
  const link = lstatSync(path, { throwIfNoEntry: false });
  const found = link?.isSymbolicLink() === true ? statSync(path, { throwIfNoEntry: false }) : link;
  if (link === undefined || found === undefined) return;
  const { mode, uid } = found;
  if ([uid, link.uid].some((owner) => owner !== process.getuid?.()))
    throw new CommandError(EXIT.failed, 'unsafe_file', `${path} belongs to another account of this computer.`);
  if ((mode & 0o077) !== 0)
    throw new CommandError(EXIT.failed, 'unsafe_file', `Other accounts can read ${path}. Run: chmod go-rwx ${path}`);
}

interface JsonFile<T> {
  read(): Readonly<Record<string, T>>;
  write(next: Readonly<Record<string, T>>): void;
}

/** An object in a file that is replaced as a whole, so that a crash leaves the former one. */
function jsonFile<T>(path: string): JsonFile<T> {
  return {
    read() {
      if (!existsSync(path)) return {};
      try {
        const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
        if (typeof read === 'object' && read !== null && !Array.isArray(read))
          return read as Readonly<Record<string, T>>;
      } catch {
        // Said below.
      }
      throw new CommandError(
        EXIT.failed,
        'damaged_file',
        `${path} is damaged. Sign in again after: pb logout --forget`,
      );
    },
    write(next) {
      const part = `${path}.${process.pid}.part`;
      writeFileSync(part, JSON.stringify(next), { mode: 0o600 });
      chmodSync(part, 0o600);
      renameSync(part, path);
    },
  };
}

function tokenRecords(file: JsonFile<TokenRecord>, store: () => PlainStore): TokenRecords {
  const present = (url: string) => file.read()[url] ?? null;
  const without = (url: string) => {
    const { [url]: _, ...rest } = file.read();
    file.write(rest);
  };
  return {
    of: async (url) => (present(url)?.is_left === true ? null : present(url)),
    all: async () => Object.values(file.read()).filter(({ is_left }) => is_left !== true),
    keep: async (record) => file.write({ ...file.read(), [record.url]: record }),
    async forget(url, token) {
      if (token === undefined || present(url)?.token === token) without(url);
    },
    async leave(url) {
      const record = present(url);
      if (record !== null) file.write({ ...file.read(), [url]: { ...record, is_left: true } });
    },
    leftAt: async (url) => (present(url)?.is_left === true ? present(url) : null),
    clientId: () => clientId(store),
  };
}
