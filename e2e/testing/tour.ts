/** A walk over every screen of the client, one stop each: the first person of a server signs up, fills a vault, shares it, and looks into every corner. */
import type { Page } from 'playwright-core';
import { fieldsOf } from './fields.ts';
import { addPeople } from './people.ts';
import { PERSON, screenOf } from './screen.ts';
import type { RunningServer } from './server.ts';

/** What people have written, as far as it is shown. */
export interface Words {
  readonly person: string;
  readonly email: string;
  readonly colleague: string;
  readonly group: string;
  readonly child: string;
  readonly entry: string;
  readonly field: string;
  readonly login: string;
  readonly link: string;
  readonly fileName: string;
  readonly search: string;
}

export const ORDINARY: Words = {
  person: 'Mira Okafor',
  email: 'mira@example.org',
  colleague: 'Jun Park',
  group: 'Production',
  child: 'Databases',
  entry: 'Billing ledger',
  field: 'Root account',
  login: 'ledger_root',
  link: 'https://console.ledger.internal/primary',
  fileName: 'ledger.p12',
  search: 'ledger',
};

/** A stop: what is to be seen has come. */
type Visit = (name: string) => Promise<void>;

interface Tour {
  readonly page: Page;
  readonly server: RunningServer;
  readonly words: Words;
  readonly visit: Visit;
  /** Closes what is open with Escape. */
  readonly leave: () => Promise<void>;
}

const API = '/passwordBroker/api';

/** Before anybody is there, and the first account. */
export async function tourOfSignUp({ page, server, words, visit }: Tour): Promise<void> {
  const { box, button, heading } = fieldsOf(page);
  await page.goto(`${server.origin}/identity/initialRecovery`);
  await heading('Initial recovery').waitFor();
  await visit('recovery');
  await page.goto(server.origin);
  await heading('Create the first user').waitFor();
  await visit('sign-up');
  await button('Sign up').click();
  await page.getByRole('alert').first().waitFor();
  await visit('sign-up, nothing entered');
  await box('User name').fill(words.person);
  await box('Email').fill(words.email);
  for (const name of ['Password', 'Password confirmation', 'Master password', 'Master password confirmation']) {
    await box(name).fill('password1');
  }
  await button('Sign up').click();
  await button('Continue despite warnings').waitFor();
  await visit('sign-up, warned');
  await button('Go back and change it').click();
  await box('Password').fill(PERSON.password);
  await box('Password confirmation').fill(PERSON.password);
  await box('Master password').fill(PERSON.masterPassword);
  await box('Master password confirmation').fill(PERSON.masterPassword);
  await button('Sign up').click();
  await heading('Select an Entry Group').waitFor();
  await visit('first page');
}

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
  await page.keyboard.press('Enter');
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

/** What is done with entries: one, and many. */
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
    if (name === 'Rename entry') await visit('menu of an entry');
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  await verb('Rename entry');
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

/** The group as a whole: its people, its past, its place. */
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

/** What belongs to no group. */
export async function tourOfTools({ page, server, words, visit, leave }: Tour): Promise<void> {
  const at = fieldsOf(page);
  const { box, button, dialog, closed, heading } = at;
  const search = page.getByRole('combobox', { name: 'Search entries' });
  await search.fill(words.search);
  await page.getByRole('option').first().waitFor();
  await visit('suggestions');
  await search.press('Enter');
  await heading(`Search results for: "${words.search}"`).waitFor();
  await page
    .getByRole('main')
    .getByText(/^\d+ entr/)
    .first()
    .waitFor();
  await visit('search results');
  await search.fill('nothing-of-that');
  await search.press('Enter');
  await page.getByText('... empty result').waitFor();
  await page.getByRole('status').filter({ hasText: '0 entries' }).waitFor();
  await visit('no search results');
  await button('Activity log').click();
  await page.getByRole('complementary', { name: 'Activity log' }).waitFor();
  await visit('activity log');
  await button('Activity log').click();
  await button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Lock now' }).waitFor();
  await visit('menu of the lock');
  await page.getByRole('menuitem', { name: 'Change master password' }).click();
  await button('Change', dialog()).waitFor();
  await visit('change master password');
  await leave();
  await closed();
  await button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Your key words' }).click();
  if ((await page.getByLabel('Master password', { exact: true }).count()) > 0) await at.remember();
  await dialog().getByRole('listitem').first().waitFor();
  await visit('own key words');
  await leave();
  await closed();
  await button('Offline database').click();
  await dialog().getByRole('switch').waitFor();
  await visit('local copy');
  await leave();
  await closed();
  await search.blur();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await visit('keys');
  await leave();
  await closed();
  await page.goto(server.origin);
  await heading('Select an Entry Group').waitFor();
  await visit('no group chosen');
  await button('import data').click();
  await visit('import');
  await leave();
  await page.goto(`${server.origin}/trash`);
  await button(/^Restore /)
    .first()
    .waitFor();
  await visit('trash');
  await button(/^Delete .* for good/)
    .first()
    .click();
  await page.getByRole('alertdialog').waitFor();
  await visit('delete for good');
  await leave();
  await page.goto(`${server.origin}/leavers`);
  await page.getByText('nobody has left').first().waitFor();
  await visit('leavers');
  await page.goto(`${server.origin}/account`);
  await button('New token').waitFor();
  await visit('account');
  await button('New token').click();
  await box('Name', dialog()).fill(words.entry.slice(0, 64));
  await visit('new token');
  await leave();
  await page.goto(`${server.origin}/nowhere`);
  await page.getByText('There is no page at this address').waitFor();
  await visit('no such page');
}

/** The admin panel, then out. */
export async function tourOfAdmin({ page, server, words, visit, leave }: Tour): Promise<void> {
  const { box, button, heading } = fieldsOf(page);
  const question = page.getByRole('alertdialog');
  await page.goto(`${server.origin}/admin`);
  await page.getByRole('table', { name: 'Users' }).waitFor();
  await visit('admin, users');
  await button('More for Ella Haugen').click();
  await page.getByRole('menuitem').first().waitFor();
  await visit('admin, menu of a user');
  await page.getByRole('menuitem', { name: 'Reset keys' }).click();
  await question.waitFor();
  await visit('admin, reset keys');
  await leave();
  await question.waitFor({ state: 'detached' });
  await page
    .getByRole('link', { name: /^Edit / })
    .or(button(/^Edit /))
    .nth(1)
    .click();
  await heading('Edit user').waitFor();
  await visit('admin, edit user');
  const menu = (name: string) =>
    page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name, exact: true }).click();
  await menu('Create User');
  await button('Create User').click();
  await visit('admin, create user');
  await menu('Invite');
  await box('Email').fill(`new-${words.email}`.slice(-250));
  await button('Send an invitation').click();
  await box('Invitation link').waitFor();
  await visit('admin, invite');
  const invitation = await box('Invitation link').inputValue();
  await menu('Settings');
  await button('Save').first().waitFor();
  await visit('admin, settings');
  await menu('Logs');
  await page.getByRole('table', { name: 'Logs' }).waitFor();
  await visit('admin, logs');
  await menu('Backup');
  await button('Create a new backup').waitFor();
  await visit('admin, backup');
  await button('Create a new backup').click();
  await page.getByText('verified', { exact: true }).first().waitFor();
  await visit('admin, first backup');
  await page.goto(invitation);
  await heading('Accept your invitation').or(page.getByText('You are signed in as')).first().waitFor();
  await visit('invitation, signed in');
  await page.goto(`${server.origin}/identity/logout`);
  await heading('Log in').waitFor();
  await visit('log in');
  await box('Email').fill(words.email);
  await box('Password').fill('not it');
  await button('Log in').click();
  await page.getByText('Invalid email or password').waitFor();
  await visit('log in, refused');
  await page.goto(invitation);
  await heading('Accept your invitation').waitFor();
  await visit('invitation');
}

/** In this order: each begins where the last one has ended. */
export const TOURS = [
  ['signing up', tourOfSignUp],
  ['fields', tourOfFields],
  ['entries', tourOfEntries],
  ['a group', tourOfGroup],
  ['tools', tourOfTools],
  ['administration, and in and out', tourOfAdmin],
] as const;
