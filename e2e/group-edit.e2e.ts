/** The settings of a group: rename and delete, each with undo, and permissions by role. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import type { WatchedPage } from './testing/browser/browser.ts';
import { entriesOf } from './testing/vault/entries.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { setRole } from './testing/vault/roles.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

const API = '/passwordBroker/api';

let server: RunningServer;
let watched: WatchedPage;
let page: Page;
let screen: Screen;
let entries: ReturnType<typeof entriesOf>;

withOnePage(async (opened) => {
  ({ server, watched, page } = opened);
  page.setDefaultTimeout(10_000);
  screen = screenOf(page);
  entries = entriesOf(page, screen);
  await signUpAtOnce(page, server.origin);
});

async function addGroup(name: string, parent: string | null = null): Promise<string> {
  const answer = await screen.call<{ entryGroup: { entry_group_id: string } }>('POST', `${API}/entryGroups`, {
    name,
    parent_entry_group_id: parent,
  });
  return answer.entryGroup.entry_group_id;
}
const settings = async (id: string) => {
  await page.goto(`${server.origin}/entryGroup/${id}`);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await screen.button('Save').waitFor();
};
const confirmation = () => page.getByRole('alertdialog');
const logged = async (line: string) => {
  await screen.button('Activity log').click();
  await page.getByText(line, { exact: true }).first().waitFor();
  await screen.button('Activity log').click();
};

test('a name is required, saved with Enter, shown everywhere, and undone from the notice', async () => {
  await settings(await addGroup('Production'));
  await screen.box('Group name').fill('   ');
  await page.keyboard.press('Enter');
  await page.getByText('The name is required.').waitFor();
  expect(await findings(page)).toEqual([]);
  await screen.box('Group name').fill('Live');
  await page.keyboard.press('Enter');
  await screen.heading('Live').waitFor();
  await screen.treeRow('Live, Admin').waitFor();
  await entries.undo().click();
  await screen.heading('Production').waitFor();
  await screen.treeRow('Production, Admin').waitFor();
  await expect.poll(() => screen.box('Group name').inputValue()).toBe('Production');
  await logged('Entry group "Live" updated');
});

test('an unchanged name sends no request', async () => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.method()));
  await screen.button('Save').click();
  await page.waitForTimeout(200);
  expect(calls).not.toContain('PUT');
});

test('a deletion by keyboard lists its contents, focuses Cancel first, and can be undone', async () => {
  const top = await addGroup('Clients');
  const below = await addGroup('Alder', top);
  await addGroup('Finch', below);
  await entries.addEntries(below, ['One', 'Two']);
  await settings(below);
  await screen.button('Delete group').focus();
  await page.keyboard.press('Enter');
  await confirmation().getByRole('heading', { name: 'Delete “Alder”?' }).waitFor();
  await confirmation()
    .getByText('This deletes the group with its 2 entries and 1 child group, for you alone.')
    .waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Delete group');
  await page.keyboard.press('Enter');
  await confirmation().getByText('This deletes').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  // The page of a deleted group is replaced by that of its parent.
  await screen.heading('Clients').waitFor();
  await expect.poll(() => screen.treeRow('Alder, Admin').count()).toBe(0);
  // The notice disappears after some seconds, so Undo is pressed before other checks.
  await entries.undo().focus();
  await page.keyboard.press('Enter');
  await screen.treeRow('Alder, Admin').waitFor();
  await logged('Entry group "Alder" deleted');
  await page.goto(`${server.origin}/entryGroup/${below}`);
  await screen.entry('One').waitFor();
});

test('a child group without the admin role prevents the deletion, and the dialog says so', async () => {
  const top = await addGroup('Shared');
  await setRole(server.dataDir, await addGroup('Theirs', top), 'moderator');
  await settings(top);
  await screen.button('Delete group').click();
  await screen.button('Delete group', confirmation()).click();
  await confirmation().getByText('You are not an admin of 1 group below this one.').waitFor();
  expect(await screen.button('Cancel', confirmation()).getAttribute('aria-disabled')).toBeNull();
  await page.keyboard.press('Escape');
  await screen.heading('Shared').waitFor();
});

test('without a connection the dialog shows an error and can be closed', async () => {
  await watched.context.setOffline(true);
  await screen.button('Delete group').click();
  await confirmation().getByText('What will be deleted could not be counted.').waitFor();
  await screen.button('Delete group', confirmation()).click();
  await confirmation().getByRole('alert').waitFor();
  await watched.context.setOffline(false);
  await page.keyboard.press('Escape');
  await confirmation().waitFor({ state: 'detached' });
});

test('moderators see the trash and the links of the group but no settings; members see neither', async () => {
  const id = await addGroup('Roles');
  const [entry] = await entries.addEntries(id, ['Gone']);
  await screen.call('DELETE', `${API}/entryGroups/${id}/entries/${entry ?? ''}`);
  await setRole(server.dataDir, id, 'moderator');
  await page.goto(`${server.origin}/entryGroup/${id}`);
  await page.getByRole('tab', { name: 'Trash' }).click();
  await screen.button('Restore Gone').waitFor();
  expect(await screen.button('Delete Gone for good').count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  expect(await page.getByRole('tab', { name: 'Settings' }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Links' }).click();
  await page.getByText('Every link of this group has a site rule.').waitFor();
  expect(await page.getByRole('tabpanel').getByRole('heading').allInnerTexts()).toEqual([
    'Prepare links for the browser extension',
  ]);
  expect(await findings(page)).toEqual([]);
  await setRole(server.dataDir, id, 'member');
  await page.reload();
  await page.getByRole('tab', { name: 'History' }).waitFor();
  await screen.treeRow('Roles, Member').waitFor();
  expect(await page.getByRole('tab', { name: /Trash|Links|Settings/ }).count()).toBe(0);
});
