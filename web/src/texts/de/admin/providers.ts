import type { Translation } from '@passwordbroker/core/texts';
import type { ADMIN_PROVIDERS_TEXTS } from '../../admin/providers.ts';

const accounts = (count: number) => (count === 1 ? '1 Konto ist' : `${count} Konten sind`);

export const ADMIN_PROVIDERS: Translation<typeof ADMIN_PROVIDERS_TEXTS> = {
  hint: 'Statt mit einem Kontopasswort hier melden sich Personen bei einem Anmeldedienst Ihrer Organisation an.',
  opensNothing:
    'Single Sign-on sagt, wer Sie sind. Ihr Tresor öffnet sich mit Ihrem Masterpasswort oder einem Ihrer Passkeys.',
  loading: 'Die Anmeldedienste werden geladen',
  failed: 'Die Anmeldedienste konnten nicht geladen werden.',
  none: 'Kein Anmeldedienst ist eingerichtet',
  noneHint:
    'Wer diesen Server betreibt, fügt in dessen Umgebung mit OIDC_PROVIDERS einen hinzu. Das Betriebshandbuch sagt, wie.',

  on: 'An',
  off: 'Aus',
  linked: (count) => `${accounts(count)} verknüpft`,
  sessions: (count) => (count === 1 ? '1 Sitzung hat dort begonnen' : `${count} Sitzungen haben dort begonnen`),
  noSecret: 'Ohne Client-Geheimnis',
  fixed: 'In der Umgebung des Servers festgelegt.',
  enabled: 'Personen dürfen sich damit anmelden',
  endsSessions: (count) =>
    `${count === 1 ? '1 Sitzung, die dort begonnen hat, endet' : `${count} Sitzungen, die dort begonnen haben, enden`} beim Speichern.`,
  sessionHours: 'Längste Sitzung (Stunden)',
  sessionHoursHint: 'Ist die Grenze der Site kürzer, gilt diese.',
  createAccounts: 'Neue Personen erhalten bei der ersten Anmeldung ein Konto',
  createAccountsHint: 'Braucht unten Domains oder Gruppen. Sonst brauchen Personen eine Einladung.',
  allowedDomains: 'Domains neuer Konten',
  allowedDomainsHint:
    'Eine pro Zeile, zum Beispiel example.org. Neue Personen brauchen dort eine E-Mail-Adresse. Leer: alle.',
  allowedGroups: 'Gruppen, die sich anmelden dürfen',
  allowedGroupsHint: 'Eine pro Zeile, wie der Anmeldedienst sie nennt. Bei jeder Anmeldung geprüft. Leer: alle.',
  groupsClaim: 'Wo die Gruppen stehen',
  groupsClaimHint: 'Der Name des Claims, in dem der Anmeldedienst sie aufzählt.',
  secondFactor: 'Zweiter Faktor',
  secondFactorHint: 'Wer danach fragt.',
  secondFactorChoices: { ours: 'Diese Site', provider: 'Der Anmeldedienst' },
  acceptedAcr: 'Werte von acr, die zählen',
  acceptedAmr: 'Werte von amr, die zählen',
  acceptedHint:
    'Einer pro Zeile. Mit ihnen sagt seine Antwort, dass er nach einem zweiten Faktor gefragt hat; sonst fragt diese Site.',

  logoutThere: 'Wer sich hier abmeldet, meldet sich auch dort ab',
  logoutThereHint: (address) =>
    `Der Browser geht zur Abmeldeseite des Anmeldedienstes, die für den Rückweg diese Adresse kennen muss: ${address}`,
  backChannel: 'Der Anmeldedienst beendet Sitzungen',
  backChannelHint: (address) =>
    `Wer sich dort abmeldet, verliert auch die Sitzungen hier. Adresse für Back-Channel-Logout: ${address}`,

  test: 'Testen',
  testNamed: (name) => `${name} testen`,
  testing: 'Wird getestet',
  good: (name) => `${name} antwortet, und nichts fehlt.`,
  bad: (name) => `${name} kann noch nicht verwendet werden`,

  local: {
    title: 'Kontopasswörter und Passkeys',
    choice: 'Anmeldung neben den Anmeldediensten',
    hint: 'Ob sich Personen auch hier anmelden dürfen, mit Kontopasswort oder Passkey.',
    choices: { allowed: 'Erlaubt', to_link: 'Nur um ein Konto zu verknüpfen', off: 'Aus' },
    allowed: 'Alle wählen selbst, wie sie sich anmelden.',
    toLink: (count) =>
      `Personen, deren Konto nicht verknüpft ist, können es nur noch verknüpfen. ${accounts(count)} jetzt nicht verknüpft.`,
    off: 'Nur Notfallkonten können sich hier anmelden. Sitzungen anderer, die hier begonnen haben, enden sofort.',
    isOff: (unlinked, all) =>
      `${unlinked} von ${all === 1 ? '1 Konto' : `${all} Konten`} ${unlinked === 1 ? 'ist' : 'sind'} nicht verknüpft und ${unlinked === 1 ? 'kann' : 'können'} sich nicht anmelden.`,
    tokens: (count) =>
      count === 1
        ? '1 Token bleibt gültig. Es steht auf der Seite Tokens.'
        : `${count} Tokens bleiben gültig. Sie stehen auf der Seite Tokens.`,
    show: 'Diese Konten zeigen',
    needs: 'Was „Aus“ braucht',
    met: 'Erledigt',
    missing: 'Fehlt',
    signedIn: 'Sie sind mit einem Anmeldedienst angemeldet. So wissen Sie, dass es geht.',
    notSignedIn:
      'Sie sind nicht mit einem Anmeldedienst angemeldet. Melden Sie sich ab, mit einem Anmeldedienst wieder an, und kommen Sie zurück. Dann wissen Sie, dass es geht.',
    hasBreakGlass: 'Ein Notfallkonto kann sich auch anmelden, wenn der Anmeldedienst ausfällt.',
    noBreakGlass:
      'Es gibt kein Notfallkonto. Bestimmen Sie unten eines: Es kann sich auch anmelden, wenn der Anmeldedienst ausfällt.',
    question: 'Kontopasswörter und Passkeys ausschalten?',
    confirm: 'Ausschalten',
    confirming: 'Wird ausgeschaltet',
    type: (count) => `Geben Sie zur Bestätigung ${count} ein`,
    overruled: {
      LOCAL_SIGN_IN:
        'Der Server läuft mit LOCAL_SIGN_IN=allowed: Alle können sich hier anmelden, was auch immer unten gewählt ist. Entfernen Sie es nach dem Notfall.',
      'no provider':
        'Kein Anmeldedienst ist eingerichtet: Alle können sich hier anmelden, was auch immer unten gewählt ist.',
    },
  },

  breakGlass: {
    title: 'Notfallkonten',
    hint: 'Site-Admins, die sich immer hier anmelden können, für den Tag, an dem der Anmeldedienst ausfällt. Bestimmen Sie zwei. Wird eines benutzt, während sich andere hier nicht anmelden können, erhalten alle Site-Admins eine E-Mail.',
    how: 'Bestimmen Sie eines in der Liste der Benutzer: im Menü eines Site-Admins mit Kontopasswort und zweitem Faktor.',
    users: 'Benutzer öffnen',
    none: 'Kein Notfallkonto',
    failed: 'Die Notfallkonten konnten nicht geladen werden.',
    ready: 'Bereit',
    notReady: 'Zählt nicht',
    lacks: {
      disabled: 'Das Konto ist gesperrt',
      admin: 'Kein Site-Admin mehr',
      password: 'Kein Kontopasswort',
      factor: 'Kein zweiter Faktor',
    },
    end: 'Beenden',
    endNamed: (name) => `Das Notfallkonto ${name} beenden`,
  },

  links: {
    title: 'Verknüpfte Anmeldedienste',
    hint: 'Hat die Person dort eine neue Identität, beenden Sie die Verknüpfung. Bei der nächsten Anmeldung kann sie das Konto neu verknüpfen.',
    failed: 'Die Verknüpfungen konnten nicht geladen werden.',
    linkedAs: (address) => `verknüpft als ${address}`,
    since: (time) => `seit ${time}`,
    lastUsed: (time) => `zuletzt benutzt ${time}`,
    neverUsed: 'noch nicht benutzt',
    end: 'Verknüpfung beenden',
    endNamed: (name) => `Verknüpfung mit ${name} beenden`,
    question: (user, name) => `Verknüpfung von ${user} mit ${name} beenden?`,
    text: (user) => `Sitzungen von ${user}, die dort begonnen haben, enden.`,
    onlyWay: (user) =>
      `${user} hat kein Kontopasswort. Geben Sie dem Konto zuerst eines: Ohne einen Passkey, der anmeldet, kann sich sonst niemand mehr daran anmelden.`,
    ending: 'Wird beendet',
    ended: (user, name) => `${user} ist nicht mehr mit ${name} verknüpft`,
  },
};
