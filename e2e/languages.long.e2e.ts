/** The pages in the other languages: no text of the English catalogues is left on them. */
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './testing/accessibility/accessibility.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import type { RunningServer } from './testing/server/server.ts';
import * as frenchExchange from '../web/src/texts/fr/exchange.ts';
import * as frenchServices from '../web/src/texts/fr/late/services.ts';
import * as frenchSites from '../web/src/texts/fr/late/sites.ts';
import * as spanishExchange from '../web/src/texts/es/exchange.ts';
import * as spanishServices from '../web/src/texts/es/late/services.ts';
import * as spanishSites from '../web/src/texts/es/late/sites.ts';
import * as spanish from '../web/src/texts/spanish.ts';
import * as french from '../web/src/texts/french.ts';
import * as germanExchange from '../web/src/texts/de/exchange.ts';
import * as germanServices from '../web/src/texts/de/late/services.ts';
import * as germanSites from '../web/src/texts/de/late/sites.ts';
import * as german from '../web/src/texts/german.ts';
import { ENGLISH } from './testing/tour/english-texts.ts';

let server: RunningServer;
let page: Page;

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(15_000);
  await signUpAtOnce(page, server.origin);
});

/** Constant texts of catalogues. */
function constants(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(constants) : [];
}

/** Lines, names and tooltips of the page that are among the texts. */
async function textsOfPage(among: ReadonlySet<string>): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const names = [...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [...document.body.innerText.split('\n'), ...names].map((text) => text.trim());
  });
  return [...new Set(texts)].filter((text) => among.has(text));
}

const LANGUAGES = {
  Deutsch: {
    code: 'de',
    texts: {
      ...german.TEXTS,
      ...germanExchange.EXCHANGE_TEXTS,
      ...germanSites.SITE_CATALOGUES,
      ...germanServices.SERVICE_CATALOGUES,
    },
    headings: {
      '/account': 'Konto',
      '/': 'Gruppen',
      '/notices': 'Mitteilungen',
      '/trash': 'Papierkorb',
      '/leavers': 'Ausgeschiedene',
      '/nothing-here': 'Unter dieser Adresse gibt es keine Seite',
      '/admin/user_control/': 'Benutzer',
      '/admin/user_control/add': 'Benutzer anlegen',
      '/admin/user_control/invite': 'Einladen',
      '/admin/settings/': 'Einstellungen',
      '/admin/checkup/': 'Prüfung der Site',
      '/admin/backup/': 'Backup',
      '/admin/user_control/tokens': 'Tokens',
      '/admin/user_control/services': 'Dienstkonten',
      '/admin/logs/': 'Protokoll',
    },
    noFields: 'Noch keine Felder.',
    tabs: ['Verlauf', 'Benutzer', 'Einstellungen'],
    noResult: '… kein Ergebnis',
    signIn: ['Anmelden', 'E-Mail', 'Passwort', 'E-Mail oder Passwort ist falsch'],
  },
  Français: {
    code: 'fr',
    texts: {
      ...french.TEXTS,
      ...frenchExchange.EXCHANGE_TEXTS,
      ...frenchSites.SITE_CATALOGUES,
      ...frenchServices.SERVICE_CATALOGUES,
    },
    headings: {
      '/account': 'Compte',
      '/': 'Groupes',
      '/notices': 'Notifications',
      '/trash': 'Corbeille',
      '/leavers': 'Anciens membres',
      '/nothing-here': 'Il n’y a pas de page à cette adresse',
      '/admin/user_control/': 'Utilisateurs',
      '/admin/user_control/add': 'Créer un utilisateur',
      '/admin/user_control/invite': 'Inviter',
      '/admin/settings/': 'Paramètres',
      '/admin/checkup/': 'Bilan du site',
      '/admin/backup/': 'Sauvegarde',
      '/admin/user_control/tokens': 'Jetons',
      '/admin/user_control/services': 'Comptes de service',
      '/admin/logs/': 'Journal',
    },
    noFields: 'Pas encore de champs.',
    tabs: ['Historique', 'Utilisateurs', 'Paramètres'],
    noResult: '… aucun résultat',
    signIn: ['Se connecter', 'E-mail', 'Mot de passe', 'E-mail ou mot de passe incorrect'],
  },
  Español: {
    code: 'es',
    texts: {
      ...spanish.TEXTS,
      ...spanishExchange.EXCHANGE_TEXTS,
      ...spanishSites.SITE_CATALOGUES,
      ...spanishServices.SERVICE_CATALOGUES,
    },
    headings: {
      '/account': 'Cuenta',
      '/': 'Grupos',
      '/notices': 'Avisos',
      '/trash': 'Papelera',
      '/leavers': 'Antiguos miembros',
      '/nothing-here': 'No hay ninguna página en esta dirección',
      '/admin/user_control/': 'Usuarios',
      '/admin/user_control/add': 'Crear un usuario',
      '/admin/user_control/invite': 'Invitar',
      '/admin/settings/': 'Ajustes',
      '/admin/checkup/': 'Revisión del sitio',
      '/admin/backup/': 'Copia de seguridad',
      '/admin/user_control/tokens': 'Tokens',
      '/admin/user_control/services': 'Cuentas de servicio',
      '/admin/logs/': 'Registro',
    },
    noFields: 'Aún no hay campos.',
    tabs: ['Historial', 'Usuarios', 'Ajustes'],
    noResult: '… sin resultados',
    signIn: ['Iniciar sesión', 'Correo electrónico', 'Contraseña', 'El correo o la contraseña son incorrectos'],
  },
} as const;

test('the search for English texts finds them on the English page', async () => {
  const at = fieldsOf(page);
  await at.addTree('Production');
  await at.addEntry('Billing ledger');
  await page.goto(server.origin);
  await page.getByText('Select an Entry Group').first().waitFor();
  expect(await textsOfPage(new Set(constants(ENGLISH)))).toContain('Select an Entry Group');
});

describe.each(Object.entries(LANGUAGES))('%s', (name, { code, texts, headings, noFields, tabs, noResult, signIn }) => {
  const translated = new Set(constants(texts));
  const english = new Set(constants(ENGLISH).filter((text) => !translated.has(text)));
  const expectTranslated = async (where: string) => expect([where, await textsOfPage(english)]).toEqual([where, []]);

  test('choosing it on the account page reloads the page, and it stays', async () => {
    await page.goto(`${server.origin}/account`);
    await page.getByRole('radio', { name }).press('Space');
    await page.getByRole('heading', { name: headings['/account'], exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(code);
  });

  test.each(Object.entries(headings))('%s is translated and accessible', async (path, heading) => {
    await page.goto(`${server.origin}${path}`);
    await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await expectTranslated(path);
    expect(await findings(page)).toEqual([]);
  });

  test('a group, its entry and a search are translated', async () => {
    await page.goto(server.origin);
    await page
      .getByRole('treegrid')
      .getByRole('row', { name: /Production/ })
      .click();
    await page.getByRole('button', { name: 'Billing ledger', exact: true }).click();
    await page.getByText(noFields).waitFor();
    await expectTranslated('entry');
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab }).click();
      await page.waitForLoadState('networkidle');
      await expectTranslated(tab);
    }
    await page.goto(`${server.origin}/entrySearch/nothing`);
    await page.getByText(noResult).waitFor();
    await expectTranslated('search');
  });

  test('the sign-in page and what the server answers there are translated', async () => {
    const [submit, email, password, refused] = signIn;
    const signedIn = await page.context().cookies();
    await page.context().clearCookies();
    await page.goto(server.origin);
    await page.getByRole('button', { name: submit, exact: true }).waitFor();
    await expectTranslated('sign-in');
    await page.getByRole('textbox', { name: email }).fill('nobody@example.org');
    await page.getByLabel(password, { exact: true }).fill('not the password');
    await page.getByRole('button', { name: submit, exact: true }).click();
    await page.getByText(refused).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.context().addCookies(signedIn);
  });
});
