/** The part of the tour in a group: fields, entries, users, settings. */
import { fieldsOf } from '../vault/fields.ts';
import { addPeople } from '../people/people.ts';
import { screenOf } from '../vault/screen.ts';
import type { Tour } from './tour-words.ts';

const API = '/passwordBroker/api';

/** A tree, an entry, a field of each type, shown, changed. */
export async function tourOfFields({ page, words, visit, leave }: Tour): Promise<void> {
  const at = fieldsOf(page);
  const { box, button, dialog, closed } = at;
  const main = page.getByRole('main');
  await button('Add your first tree').click();
  await visit('new tree');
  await box('Title', dialog()).fill(words.group);
  await page.keyboard.press('Enter');
  await box('Master password', dialog()).waitFor();
  await visit('master password asked');
  await box('Master password', dialog()).fill('not it');
  await page.keyboard.press('Enter');
  await dialog().getByRole('alert').waitFor();
  await visit('master password wrong');
  await at.remember();
  await at.heading(words.group).waitFor();
  await visit('empty group');
  await page.getByRole('treegrid').getByRole('row').first().click();
  await button('add new child Entry Group').first().click();
  await box('Title', dialog()).fill(words.child);
  await visit('new child group');
  await button('add', dialog()).click();
  await at.heading(words.child).waitFor();
  await closed();
  await page.getByRole('treegrid').getByRole('row').first().click();
  await at.heading(words.group).waitFor();
  await button(/add new Entry/)
    .first()
    .click();
  await visit('new entry');
  await box('Title', dialog()).fill(words.entry);
  await page.keyboard.press('Enter');
  await closed();
  await main.getByText('No fields yet.').or(main.locator('[data-entry-title]').first()).first().waitFor();
  await visit('first entry');
  if ((await page.getByRole('table', { name: /^Fields of/ }).count()) === 0) {
    await page.locator('[data-entry-title]').first().click();
  }
  await button('Add field', main).waitFor();
  await visit('entry without fields');
  const add = async (kind: string, fill: () => Promise<void>) => {
    await button('Add field', main).click();
    await dialog().getByText(kind, { exact: true }).click();
    await box('Title', dialog()).fill(kind === 'Password' ? words.field : `${kind} ${words.field}`.slice(0, 255));
    await fill();
    await visit(`new field, ${kind}`);
    await button('Add field', dialog()).click();
    await closed();
  };
  await button('Add field', main).click();
  await dialog().getByText('TOTP', { exact: true }).click();
  await button('Add field', dialog()).click();
  await dialog().getByText('Field Value is missing').waitFor();
  await visit('new field, nothing entered');
  await leave();
  await closed();
  await add('Password', () => box('Login', dialog()).fill(words.login));
  await add('Link', () => box('Value', dialog()).fill(words.link));
  await add('Note', () => box('Value', dialog()).fill(`Pause billing.\n${words.link} ${words.field}`));
  await add('TOTP', () => box('Secret', dialog()).fill('JBSWY3DPEHPK3PXP'));
  const file = { name: words.fileName, mimeType: 'application/x-pkcs12', buffer: Buffer.alloc(70_000, 7) };
  await add('File', () => dialog().locator('input[type=file]').setInputFiles(file));
  await visit('fields');
  for (let left = await button('Show', main).count(); left > 0; left -= 1) {
    await button('Show', main).first().click();
    await button('Show', main)
      .nth(left - 1)
      .waitFor({ state: 'detached' });
  }
  await button('Show code', main).click();
  await button('Hide code', main).waitFor();
  await visit('fields, shown');
  await button(/^Edit /, main)
    .first()
    .click();
  await button('Save', dialog()).waitFor();
  await visit('edit field');
  await leave();
  await closed();
  await button(/^History of /, main)
    .first()
    .click();
  await dialog().getByRole('table').waitFor();
  await visit('history of a field');
  await leave();
  await closed();
  await button(/^Delete (?!entries)/, main)
    .first()
    .click();
  await page.getByRole('alertdialog').waitFor();
  await visit('delete field');
  await leave();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
}

/** Commands for one and for many entries. */
export async function tourOfEntries({ page, words, visit, leave }: Tour): Promise<void> {
  const { box, button, dialog, call } = fieldsOf(page);
  const group = /entryGroup\/([\w-]+)/.exec(page.url())?.[1] ?? '';
  const others = ['Mail relay', `${words.entry.slice(0, 250)} two`];
  for (const title of others) {
    await call('POST', `${API}/entryGroups/${group}/entries`, { title });
  }
  await page.reload();
  await page.locator('[data-entry-title]').nth(2).waitFor();
  const verb = async (name: string) => {
    await page.locator('[data-entry-title]').first().hover();
    await button(/^More for/)
      .first()
      .click();
    await page.getByRole('menuitem', { name, exact: true }).waitFor();
    if (name === 'Edit entry') await visit('menu of an entry');
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  await verb('Edit entry');
  await box('Title', dialog()).waitFor();
  await visit('rename entry');
  await leave();
  await verb('Move entry');
  await box('Find a group', dialog()).waitFor();
  await visit('move entry');
  await leave();
  for (const title of others) await page.getByLabel(`Select ${title}`, { exact: true }).click();
  await page.getByText('2 selected').waitFor();
  await visit('two entries chosen');
  await button('Delete entries').click();
  await page.getByRole('alertdialog').waitFor();
  await visit('delete entries');
  await button('Delete', page.getByRole('alertdialog'))
    .or(button('Delete entries', page.getByRole('alertdialog')))
    .click();
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).last().waitFor();
  await visit('notice with undo');
}

/** The tabs of a group: users, history, settings. */
export async function tourOfGroup({ page, server, words, visit, leave }: Tour): Promise<void> {
  const at = fieldsOf(page);
  const { box, button, dialog } = at;
  const tab = (name: RegExp) => page.getByRole('tab', { name }).click();
  const question = page.getByRole('alertdialog');
  await addPeople(screenOf(page), server.dataDir, [words.colleague, 'Ella Haugen']);
  await page.reload();
  await tab(/^Users/);
  await page.getByRole('table', { name: 'Users of the group' }).waitFor();
  await visit('users of a group');
  await box('Add new user').fill(words.colleague.slice(0, 3));
  await button(/^add as Member/)
    .first()
    .waitFor();
  await visit('people found');
  await button(/^add as Member/)
    .first()
    .click();
  await at.remember();
  await button('Trust for now', dialog()).waitFor();
  await visit('key of a colleague');
  await button('Trust for now', dialog()).click();
  await button(/role of /).waitFor();
  await visit('users of a group, two');
  await button(/role of /).click();
  await page.getByRole('menuitem', { name: 'Change to Moderator' }).click();
  await question.waitFor();
  await visit('change role');
  await leave();
  await question.waitFor({ state: 'detached' });
  await button(/^Remove /)
    .first()
    .click();
  await question.waitFor();
  await visit('remove user');
  await leave();
  await question.waitFor({ state: 'detached' });
  await tab(/^History/);
  await page.getByRole('table', { name: 'History of the group' }).waitFor();
  await visit('history of a group');
  await tab(/^Settings/);
  await button(/^Restore /)
    .first()
    .waitFor();
  await visit('settings of a group');
  await button('Move to').click();
  await dialog().getByRole('heading').waitFor();
  await visit('move group');
  await leave();
  await button('Delete group').click();
  await question.getByText('This deletes').waitFor();
  await visit('delete group');
  await leave();
  await button('enable Entry Group move mode').click();
  await button('disable Entry Group move mode').waitFor();
  await visit('move mode');
  await button('disable Entry Group move mode').click();
}
