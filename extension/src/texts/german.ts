import type { Translation } from '@passwordbroker/core/texts';
import * as client from '@passwordbroker/client/texts/de/client';
import { cataloguesOf } from '@passwordbroker/client/texts/translations';
import * as ui from '@passwordbroker/ui/languages/de';
import { type EXTENSION_TEXTS, oneOf } from './extension.ts';

export { germanSentence as sentence } from '@passwordbroker/client/texts/de/messages/german-sentence';

const EXTENSION: Translation<typeof EXTENSION_TEXTS> = {
  loading: 'PasswordBroker wird geöffnet',
  again: 'Noch einmal versuchen',
  back: 'Zurück',
  cancel: 'Abbrechen',

  welcome: 'Mit Ihrem Server verbinden',
  address: 'Adresse Ihres Servers',
  addressHint: 'Zum Beispiel https://tresor.example.org',
  connect: 'Verbinden',
  notAllowed: (host) => `Ohne diese Berechtigung erreicht die Erweiterung ${host} nicht.`,
  noAddress: 'Das ist keine Adresse.',
  onlyHttps: 'Nur https-Adressen sind möglich.',
  noServer: 'Unter dieser Adresse gibt es keinen PasswordBroker.',
  notPaired: 'Verbinden Sie sich zuerst mit Ihrem Server.',
  unreachable: 'Der Server ist nicht erreichbar.',
  unreachableText: 'Prüfen Sie Ihre Verbindung, oder fragen Sie die Betreiber des Servers.',
  tooOld: 'Diese Erweiterung ist zu alt für den Server. Aktualisieren Sie sie.',
  otherServer: 'Einen anderen Server verwenden',

  signIn: 'Anmelden',
  email: 'E-Mail',
  accountPassword: 'Kontopasswort',
  signInHint: (providers) =>
    `Mit ${oneOf('de', ['einem Passkey', 'einem Sicherheitsschlüssel'], providers, 'einem Identitätsanbieter')}:`,
  browserSignIn: 'Im Browser anmelden',
  browserText: (shown) =>
    `Die Seite Ihres Servers muss ${shown} zeigen. Lassen Sie die Erweiterung dort zu, und geben Sie den Code der Seite hier ein.`,
  browserCode: 'Code der Seite',
  browserAgain: 'Die Seite noch einmal öffnen',
  ownName: 'PasswordBroker-Erweiterung',
  factorTitle: 'Noch ein Schritt',
  factorCode: 'Code Ihrer Authenticator-App',
  recoveryCode: 'Wiederherstellungscode',
  useRecovery: 'Einen Wiederherstellungscode verwenden',
  useCode: 'Die Authenticator-App verwenden',
  prove: 'Weiter',
  noFactor: 'Ihr Konto meldet sich mit einem Sicherheitsschlüssel an. Die Seite Ihres Servers kann ihn abfragen.',
  restricted:
    'Ihr Konto muss zuerst eingerichtet werden. Öffnen Sie die Weboberfläche, folgen Sie den Schritten, und versuchen Sie es dann noch einmal.',

  locked: 'Tresor gesperrt',
  lockedMeanwhile: 'Der Tresor wurde inzwischen gesperrt. Nichts wurde ausgefüllt.',
  masterPassword: 'Masterpasswort',
  unlock: 'Entsperren',
  lock: 'Sperren',
  logOut: 'Abmelden',
  settings: 'Einstellungen',
  words: 'Vergleichen Sie diese acht Wörter mit denen unter Ihrem Namen in der Weboberfläche',
  wordsText:
    'Unterscheiden sie sich, zeigt Ihnen dieser Server einen anderen Schlüssel als Ihren eigenen. Machen Sie nicht weiter, und sagen Sie es den Betreibern.',
  wordsSame: 'Sie sind gleich',

  usePasskey: 'Passkey verwenden',
  passkeyTitle: 'Mit einem Passkey öffnen',
  passkeyText: 'Ihr Browser fragt in einem eigenen Fenster nach dem Passkey. Danach schließt sich diese Seite.',
  passkeySignedOut: 'Sie sind nicht angemeldet. Öffnen Sie die Erweiterung, um sich anzumelden.',
  passkeyWaiting: 'Wartet auf Ihren Passkey',
  passkeyNone: (host) =>
    `Kein Passkey öffnet Ihren Tresor auf ${host}. Fügen Sie auf der Kontoseite der Weboberfläche einen hinzu, oder verwenden Sie Ihr Masterpasswort.`,
  passkeyUnused:
    'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder schließen Sie diese Seite und verwenden Sie Ihr Masterpasswort.',
  passkeyNoSecret: 'Dieser Browser kann den Tresor mit diesem Passkey nicht öffnen. Verwenden Sie Ihr Masterpasswort.',
  passkeyOff: (host) =>
    `Dieser Browser lässt Erweiterungen keine Passkeys von ${host} verwenden. Chromium erlaubt es ab Version 122, Firefox ab Version 150. Verwenden Sie Ihr Masterpasswort.`,
  passkeyFailed: 'Der Passkey hat nicht funktioniert. Versuchen Sie es erneut, oder verwenden Sie einen anderen.',

  search: 'Suchen',
  found: 'Gefunden',
  nothingFound: 'Nichts gefunden',
  sameDomain: 'Gleiche Domain, anderer Host',
  noMatch: (host) => `Für ${host} ist nichts gespeichert.`,
  closedGroups: (count) =>
    count === 1
      ? 'Eine Gruppe lässt sich nicht öffnen, deshalb fehlen hier ihre Einträge. Sehen Sie im Web-Client nach.'
      : `${count} Gruppen lassen sich nicht öffnen, deshalb fehlen hier ihre Einträge. Sehen Sie im Web-Client nach.`,
  noPage: 'Auf dieser Seite kann nichts ausgefüllt werden.',
  httpsOnly: (title) => `Diese Seite ist nicht verschlüsselt; ${title} ist für https gespeichert.`,
  fill: (title) => `${title} ausfüllen`,
  use: (title) => `${title} hier verwenden`,
  copyLogin: (title) => `Den Benutzernamen von ${title} kopieren`,
  copyPassword: (title) => `Das Passwort von ${title} kopieren`,
  copyCode: (title) => `Den Code von ${title} kopieren`,
  copied: (seconds) => `Kopiert. In ${seconds} Sekunden wird es gelöscht.`,
  noPassword: 'Dieser Eintrag hat kein Passwort.',
  noCode: 'Dieser Eintrag hat keinen Einmalcode.',

  filled: 'Ausgefüllt',
  changed: 'Die Seite hat sich geändert. Nichts wurde ausgefüllt.',
  unreadable: 'Der Browser lässt Erweiterungen diese Seite nicht lesen.',
  noForm: 'Auf dieser Seite ist kein Anmeldeformular.',
  noValue: 'Dieser Eintrag hat nichts, was in das Formular passt.',
  frame: (origin) =>
    `Das Anmeldeformular ist in einem Rahmen von ${origin}. Öffnen Sie es in einem eigenen Tab, oder kopieren Sie.`,
  plainAction: 'Das Formular würde das Passwort unverschlüsselt senden.',
  otherAction: (host) => `Das Formular sendet an ${host}.`,
  plainHttp: 'Diese Seite ist nicht verschlüsselt. Alle auf dem Weg können das Passwort lesen.',
  otherHost: 'Dieser Eintrag ist nicht für diesen Host gespeichert. Vergleichen Sie die Adressen, bevor Sie ausfüllen.',
  keptFor: 'Gespeichert für',
  thisPage: 'Diese Seite',
  fillAnyway: 'Trotzdem ausfüllen',
  fillOnce: 'Einmal ausfüllen',
  always: (host) => `Immer auf ${host}`,
  filledPartly:
    'Die Seite hat inzwischen ein Feld ersetzt. Nur ein Teil wurde ausgefüllt: Klicken Sie noch einmal auf den Eintrag.',
  codeNotCopied: 'Ausgefüllt. Der Code konnte nicht kopiert werden.',
  whichForm: 'Welches?',
  restarted: 'Die Erweiterung wurde neu gestartet. Versuchen Sie es noch einmal.',

  save: 'Speichern',
  savePage: 'Von dieser Seite speichern',
  saveTitle: 'Diese Anmeldung speichern',
  title: 'Titel',
  group: 'Gruppe',
  userName: 'Benutzername',
  password: 'Passwort',
  generate: 'Erzeugen',
  generatorSettings: 'Länge und Zeichen',
  length: 'Länge',
  characters: 'Zeichen',
  fillNew: 'In beide neuen Passwörter eintragen',
  saved: (title) => `${title} ist gespeichert.`,
  update: (title) => `${title} aktualisieren`,
  updated: (title) => `${title} ist aktualisiert.`,
  changedMeanwhile: 'Der Eintrag wurde inzwischen geändert. Sehen Sie ihn zuerst in der Weboberfläche an.',
  passwordMissing: 'Das Passwort fehlt.',
  offer: (host) => `Die Anmeldung speichern, die Sie gerade auf ${host} verwendet haben?`,
  notNow: 'Jetzt nicht',
  never: (host) => `Nie auf ${host}`,
  offerStart: 'Auf dieser Website Speichern anbieten',
  offerStop: 'Hier kein Speichern mehr anbieten',
  offerStarted: (host) => `Anmeldungen auf ${host} werden ab dem nächsten Laden einer Seite zum Speichern angeboten.`,
  noGroups:
    'Sie dürfen in keine Gruppe schreiben. Fragen Sie einen Admin, oder legen Sie in der Weboberfläche eine an.',
  formNumber: (number) => `Formular ${number}`,

  lockAfter: 'Sperren nach Minuten ohne Benutzung',
  copyCodes: 'Nach dem Ausfüllen den Code kopieren',
  copyCodesHint:
    'Für Websites, die im nächsten Schritt nach einem Einmalcode fragen. Es wird als Öffnen aufgezeichnet.',
  offerOnAll: 'Auf allen Websites Speichern anbieten',
  offerOnAllHint:
    'Der Browser fragt nach der Berechtigung, alle https-Seiten zu lesen. Von den Anmeldungen, die Sie verwenden, bleibt die letzte jedes Tabs zwei Minuten im Speicher, sonst nichts.',
  language: 'Die Sprache ist die des Browsers.',
  pairedWith: 'Server',
  person: 'Angemeldet als',
  version: 'Version',
  clipboardNote:
    'Ein kopierter Wert wird nach einer Minute gelöscht. Programme mit einem Verlauf der Zwischenablage können ihn behalten.',
};

export const TEXTS = cataloguesOf([client, ui, { EXTENSION }]);
