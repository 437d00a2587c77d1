/** Groups and entries of a journey: created through the API or the screen, read from the table. */
import type { Page } from 'playwright-core';
import { type Screen } from './screen.ts';

const API = '/passwordBroker/api';

export function entriesOf(page: Page, screen: Screen) {
  const table = () => page.getByRole('table', { name: 'Entries' });
  const undo = () => page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).last();
  return {
    table,
    undo,

    /** Adds a tree in the dialog; the first one asks for the master password. @returns its id */
    async addTree(title: string, isFirst = false): Promise<string> {
      await screen.button('add new tree').click();
      await screen.box('Title', screen.dialog()).fill(title);
      await page.keyboard.press('Enter');
      if (isFirst) await screen.remember();
      await screen.heading(title).waitFor();
      return /entryGroup\/([\w-]+)/.exec(page.url())?.[1] ?? '';
    },

    /** @returns ids in the order of the titles */
    async addEntries(groupId: string, titles: readonly string[]): Promise<readonly string[]> {
      const ids: string[] = [];
      for (const title of titles) {
        const path = `${API}/entryGroups/${groupId}/entries`;
        ids.push((await screen.call<{ entry_id: string }>('POST', path, { title })).entry_id);
      }
      return ids;
    },

    /** Titles of the rendered rows from top to bottom. */
    titles: async () =>
      (await page.locator('[data-entry-title]').allInnerTexts()).map((title) => title.split('\n')[0] ?? ''),

    chosen: async () => {
      const boxes = table().locator('[data-index] input:checked');
      return (await boxes.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))).map((label) =>
        label.replace('Select ', ''),
      );
    },

    choose: (title: string, modifiers: ('Shift' | 'Control')[] = []) =>
      page.getByLabel(`Select ${title}`, { exact: true }).click({ modifiers }),

    /** Chooses a command in the menu of a row. */
    async verb(title: string, verb: string) {
      await screen.entry(title).hover();
      await screen.button(`More for ${title}`).click();
      await page.getByRole('menuitem', { name: verb, exact: true }).click();
    },

    notice: (text: string | RegExp) => page.getByRole('region', { name: 'Notices' }).getByText(text).last(),
  };
}
