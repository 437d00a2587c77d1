/** What a person does in the popup. */
import type { Page } from 'playwright-core';
import { PERSON } from '../vault/screen.ts';

export function popupOf(popup: Page) {
  const field = (label: string) => popup.getByLabel(label, { exact: true });
  const press = (name: string) => popup.getByRole('button', { name, exact: true }).click();
  return {
    field,
    press,
    text: () => popup.locator('body').innerText(),
    async pair(origin: string) {
      await field('Address of your server').fill(origin);
      await press('Connect');
      await field('E-mail').waitFor();
    },
    async signIn(person: { readonly email: string; readonly password: string } = PERSON) {
      await field('E-mail').fill(person.email);
      await field('Account password').fill(person.password);
      await press('Sign in');
    },
    async unlock(masterPassword: string = PERSON.masterPassword) {
      await field('Master password').fill(masterPassword);
      await press('Unlock');
    },
    async compareWords() {
      await press('They are the same');
      await field('Search').waitFor();
    },
  };
}
