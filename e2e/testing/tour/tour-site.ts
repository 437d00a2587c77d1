/** The part of the tour outside groups: sign-up, tools, administration, sign-in and sign-out. */
import { fieldsOf } from '../vault/fields.ts';
import { PERSON } from '../vault/screen.ts';
import type { Tour } from './tour-words.ts';

/** Without users, then the first account. */
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
  await heading('Site checkup').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'HTTPS' }).waitFor();
  await visit('site checkup');
  await page.goto(server.origin);
  await heading('Select an Entry Group').waitFor();
  await visit('first page');
}

/** Pages outside groups. */
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
  const activities = page.getByRole('complementary', { name: 'Activity log' });
  await button('Close', activities).focus();
  await leave();
  await activities.waitFor({ state: 'detached' });
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
  await page.getByRole('dialog', { name: 'Help' }).waitFor();
  await visit('help');
  await leave();
  await closed();
  await page.goto(server.origin);
  await heading('Select an Entry Group').waitFor();
  await visit('no group chosen');
  await button('import data').click();
  await page.getByRole('dialog', { name: 'Import data' }).waitFor();
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
  const services = page.getByRole('region', { name: 'Service accounts', exact: true });
  await button('Add', services).click();
  await box('Name', dialog()).fill(words.entry.slice(0, 64));
  await visit('new service account');
  await button('Create', dialog()).click();
  const stored = dialog().getByLabel('I have stored it');
  const locked = page.getByLabel('Master password', { exact: true });
  await stored.or(locked).first().waitFor();
  if ((await locked.count()) > 0) await at.remember();
  await stored.waitFor();
  await visit('credential of a service account');
  await stored.check();
  await button('Done', dialog()).click();
  await closed();
  await button(/^More for /, services).waitFor();
  await visit('own service accounts');
  await page.goto(`${server.origin}/nowhere`);
  await page.getByText('There is no page at this address').waitFor();
  await visit('no such page');
}

/** The admin panel, then the login page. */
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
  await page.goto(`${server.origin}/admin/user_control/`);
  await button('More for Ella Haugen').click();
  await page.getByRole('menuitem', { name: 'Offboard' }).click();
  await page.getByRole('region', { name: 'Account' }).waitFor();
  await visit('admin, offboard');
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
  await menu('Tokens');
  await page
    .getByRole('table', { name: 'Tokens' })
    .or(page.getByText('no tokens', { exact: true }))
    .first()
    .waitFor();
  await visit('admin, tokens');
  await menu('Service accounts');
  await button(/^More for /, page.getByRole('main')).waitFor();
  await visit('admin, service accounts');
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
  // Created, encrypted and restored for a trial.
  await page.getByText('verified', { exact: true }).first().waitFor({ timeout: 120_000 });
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
