/** A server with one person and one entry, and a browser with the extension. */
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { envelope as fieldEnvelope, history as fieldHistory } from '@passwordbroker/core/contract/entries/fields';
import type { Page } from 'playwright-core';
import { closePages, openPage, sharedBrowser } from '../browser/browser.ts';
import { signUpAtOnce } from '../people/people.ts';
import { type RunningServer, startServer } from '../server/server.ts';
import { fieldsOf } from '../vault/fields.ts';
import { type ExtensionBrowser, startExtensionBrowser } from './extension.ts';

export const PASSWORD = 'canary-7f3a correct horse';
export const LOGIN = 'mira';
export const ENTRY = 'Billing ledger';
export const FORM =
  '<!doctype html><title>Shop</title><form><label>User<input name=user autocomplete=username></label><label>Password<input type=password autocomplete=current-password></label><button>Sign in</button></form>';

export interface Story {
  readonly server: RunningServer;
  readonly extension: ExtensionBrowser;
  /** Of the web client, signed in. */
  readonly page: Page;
  readonly at: ReturnType<typeof fieldsOf>;
  /** Releases the value in the web client. @returns milliseconds */
  release(): Promise<number>;
  /** How often the server recorded that the password was opened. */
  reveals(): Promise<number>;
  /** What the history says that it was opened for last. */
  /** Purpose and program of the newest reveal of the password. */
  opened(): Promise<string>;
  end(): Promise<void>;
}

interface Found {
  readonly data: readonly {
    readonly entry_id: string;
    readonly entry_group: { readonly entry_group_id: string };
    readonly passwords: readonly { readonly field_id: string }[];
  }[];
}

/** @param more fields of the entry, whose page is open */
export async function beginStory(more?: (at: Story['at']) => Promise<void>): Promise<Story> {
  const server = await startServer();
  const { page } = await openPage(await sharedBrowser());
  const at = fieldsOf(page);
  await signUpAtOnce(page, server.origin);
  await at.addTree('Production');
  await at.addEntry(ENTRY);
  await at.openEntry(ENTRY);
  await at.addField('Password', 'Root', async () => {
    await at.box('Login', at.dialog()).fill(LOGIN);
    await at.box('Value', at.dialog()).fill(PASSWORD);
  });
  await more?.(at);
  const extension = await startExtensionBrowser();
  const passwordPath = async () => {
    const [row] = (await at.call<Found>('GET', '/passwordBroker/api/entrySearch?q=billing')).data;
    if (row === undefined) throw new Error('The entry is not found');
    return { g: row.entry_group.entry_group_id, e: row.entry_id, f: row.passwords[0]?.field_id ?? '' };
  };
  const revealed = async () => {
    const path = fillPath<string>(fieldHistory.path, await passwordPath());
    const rows = await at.call<readonly FieldHistory[]>('GET', path);
    return rows.filter(({ event_type }) => event_type === 'decrypted');
  };
  return {
    server,
    extension,
    page,
    at,
    async release() {
      const path = fillPath<string>(fieldEnvelope.path, await passwordPath());
      return page.evaluate(async (address) => {
        const began = performance.now();
        await (await fetch(address)).json();
        return performance.now() - began;
      }, path);
    },
    reveals: async () => (await revealed()).length,
    async opened() {
      const [row] = await revealed();
      return `${row?.purpose} ${row?.via}`;
    },
    async end() {
      await extension.close();
      await closePages(await sharedBrowser());
      await server.stop();
    },
  };
}

/** What the inputs of a page hold. */
export const valuesOf = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value));
