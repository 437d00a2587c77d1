/** Helpers for the Users tab of a group. */
import type { Page } from 'playwright-core';
import type { Screen } from './screen.ts';

type Role = 'Admin' | 'Moderator' | 'Member';

export function usersOf(page: Page, screen: Screen) {
  const table = () => page.getByRole('table', { name: 'Users of the group' });
  const row = (name: string) => table().getByRole('row').filter({ hasText: name });
  /** The confirmation of a removal or change of role. */
  const question = () => page.getByRole('alertdialog');
  return {
    question,
    table,
    row,

    async open() {
      await page.getByRole('tab', { name: /^Users/ }).click();
      await table().waitFor();
    },

    /** Names and roles from top to bottom. */
    async listed(): Promise<readonly string[]> {
      const rows = await table().getByRole('row').all();
      const texts = rows.slice(1).map(async (one) => {
        const [name, role] = await one.getByRole('cell').all();
        return `${(await name?.locator('span').nth(1).innerText())?.trim() ?? ''}: ${(await role?.locator('[data-role]').innerText()) ?? ''}`;
      });
      return Promise.all(texts);
    },

    /** Types the name and presses 'add as …'; the caller handles the dialog or row that follows. */
    async add(name: string, role: Role) {
      await screen.box('Add new user').fill(name);
      await screen.button(`add as ${role}: ${name}`).click();
    },

    /** The key words in the dialog about a user's key. */
    words: async () => screen.dialog().getByRole('list').first().getByRole('listitem').allInnerTexts(),

    async changeRole(name: string, role: Role) {
      await screen.button(new RegExp(`role of ${name}$`)).click();
      await page.getByRole('menuitem', { name: `Change to ${role}` }).click();
      await screen.button('Change role', question()).click();
    },

    async remove(name: string) {
      await screen.button(`Remove ${name}`).click();
      await screen.button('Remove', question()).click();
    },

    departed: () => page.getByRole('region', { name: 'Former members' }),
  };
}
