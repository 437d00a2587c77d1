/** Signing in at the real provider `Acme`, as a person sees it. */
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import type { RealProvider } from '../../../server/src/identity/sso/testing/real-provider.ts';
import { CLIENT } from '../../../server/src/identity/sso/testing/test-provider.ts';
import { findings } from '../accessibility/accessibility.ts';

/** The environment of a server with this provider. */
export const acmeAt = ({ issuer }: Pick<RealProvider, 'issuer'>, settings: object) => ({
  OIDC_PROVIDERS: 'acme',
  OIDC_ACME_ISSUER: issuer,
  OIDC_ACME_CLIENT_ID: CLIENT.id,
  OIDC_ACME_CLIENT_SECRET: CLIENT.secret,
  OIDC_ACME_NAME: 'Acme',
  OIDC_ACME_SETTINGS: JSON.stringify(settings),
});

export const continueWith = (page: Page) => page.getByRole('button', { name: 'Continue with Acme' });

/** In both themes, on a phone and on a desktop. */
export async function isAccessible(page: Page) {
  for (const [width, theme] of [
    [390, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    expect([width, theme, await findings(page)]).toEqual([width, theme, []]);
  }
}

/** Signs in on the provider's own pages. */
export async function signInThere(page: Page, name: string) {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('x');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Continue' }).click();
}
