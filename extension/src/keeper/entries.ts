/** Lists, and values that were asked for. Each reveal is recorded by the server. */
import type { Field, SearchRow } from '@passwordbroker/core/contract/entities';
import { totpCode } from '@passwordbroker/core/domain/fields/totp';
import type { EntryPath, FieldPath, Revealed } from '@passwordbroker/client/vault/vault';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import type { Clipboard } from './clipboard.ts';
import { Refusal } from '../refusal.ts';
import type { KeeperClient } from './start-client.ts';

/** An entry as a list shows it: no value. */
export interface Item extends EntryPath {
  readonly title: string;
  readonly group: string;
  readonly login: string | null;
  readonly hasPassword: boolean;
  readonly hasCode: boolean;
}

export interface Secrets {
  readonly userName: string;
  readonly password: string;
  readonly code: string;
}

/** What a form can take. */
export type Wanted = Readonly<Record<keyof Secrets, boolean>>;

const FOUND_AT_ONCE = 30;
const COPIES_CODE = 'passwordbroker.extension.copies-code';

/** Whether the code is copied after a password was filled in: not until the person chooses it. */
export const copiesCode = (): boolean => localStorage.getItem(COPIES_CODE) === 'yes';
export const chooseCopiesCode = (isOn: boolean): void => localStorage.setItem(COPIES_CODE, isOn ? 'yes' : 'no');

export const itemOf = ({ entry_id, entry_group, title, passwords, TOTPs }: SearchRow): Item => ({
  entryGroupId: entry_group.entry_group_id,
  entryId: entry_id,
  title,
  group: entry_group.name,
  login: passwords[0]?.login ?? null,
  hasPassword: passwords.length > 0,
  hasCode: TOTPs.length > 0,
});

export function entryOperations({ vault }: Pick<KeeperClient, 'vault'>, clipboard: Clipboard) {
  const { read } = vault;

  /** The first field of a type. @throws Refusal */
  async function fieldOf({ entryGroupId, entryId }: EntryPath, type: 'password' | 'TOTP'): Promise<FieldPath> {
    const field = firstOf(await read.fields({ entryGroupId, entryId }), type);
    if (field === undefined) throw new Refusal('no_field', type === 'TOTP' ? TEXTS.noCode : TEXTS.noPassword);
    return { entryGroupId, entryId, field };
  }

  const codeOf = async (entry: EntryPath, purpose: 'copy' | 'fill') =>
    codeNow(await read.reveal(await fieldOf(entry, 'TOTP'), undefined, purpose));

  return {
    /** By title, login and the operators of the web client's search. */
    async search({ query }: { readonly query: string }): Promise<readonly Item[]> {
      return (await read.search({ query, page: 1, perPage: FOUND_AT_ONCE })).data.map(itemOf);
    },

    /** What fits a form. Nothing is revealed that is not wanted. */
    async secrets({ entry, wanted }: { readonly entry: EntryPath; readonly wanted: Wanted }): Promise<Secrets> {
      const fields = await read.fields(entry);
      const password = firstOf(fields, 'password');
      const needsPassword = wanted.password && password !== undefined;
      const revealed = needsPassword ? await read.reveal({ ...entry, field: password }, undefined, 'fill') : null;
      const listed = password?.type === 'password' ? password.login : '';
      return {
        userName: wanted.userName ? (revealed?.login ?? listed ?? '') : '',
        password: revealed?.text ?? '',
        code: wanted.code && firstOf(fields, 'TOTP') !== undefined ? (await codeOf(entry, 'fill')).code : '',
      };
    },

    /** After a password was filled in: for the next step of the sign-in, if the person wants it. */
    async copyNextCode({ entry }: { readonly entry: EntryPath }): Promise<void> {
      if (!copiesCode() || firstOf(await read.fields(entry), 'TOTP') === undefined) return;
      await clipboard.copy((await codeOf(entry, 'copy')).code);
    },

    /** Puts it on the clipboard, where it is cleared later. @returns seconds until then */
    async copy({ entry, what }: { readonly entry: EntryPath; readonly what: keyof Secrets }): Promise<number> {
      if (what === 'code') return clipboard.copy((await codeOf(entry, 'copy')).code);
      const path = await fieldOf(entry, 'password');
      // A user name is no secret: the list has it.
      if (what === 'userName' && path.field.type === 'password') return clipboard.copy(path.field.login ?? '');
      return clipboard.copy((await read.reveal(path, undefined, 'copy')).text);
    },
  };
}

const firstOf = (fields: readonly Field[], type: 'password' | 'TOTP') => fields.find((field) => field.type === type);

/** @throws Refusal */
function codeNow({ totp, text }: Revealed) {
  if (totp === null) throw new Refusal('no_field', TEXTS.noCode);
  return totpCode({ ...totp, secret: text }, Date.now());
}
