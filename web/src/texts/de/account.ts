import type { Translation } from '@passwordbroker/core/texts';
import type {
  ACCOUNT_TEXTS,
  FRESH_SIGN_IN_TEXTS,
  PASSWORD_RULE_TEXTS,
  WEAK_PASSWORD_TEXTS,
} from '../identity/account.ts';
import type { NOTICE_TEXTS } from '../notices.ts';

const minutes = (count: number) => (count === 1 ? '1 Minute' : `${count} Minuten`);

export const ACCOUNT: Translation<typeof ACCOUNT_TEXTS> = {
  page: 'Konto',
  link: (name) => `Konto von ${name}`,
  save: 'Speichern',
  saving: 'Wird gespeichert',
  tryAgain: 'Noch einmal versuchen',
  loading: 'Wird geladen',
  programs: { web: 'Web-Client', cli: 'Befehlszeile', extension: 'Browser-Erweiterung', api: 'anderes Programm' },

  profile: {
    title: 'Name und E-Mail',
    name: 'Benutzername',
    email: 'E-Mail',
    saved: 'Der Benutzer wurde geändert',
    failed: 'Ein Fehler ist aufgetreten, versuchen Sie es noch einmal',
  },
  password: {
    title: 'Kontopasswort',
    hint: 'Für die Anmeldung. Ihr Masterpasswort ändern Sie im Menü mit dem Schloss.',
    current: 'Jetziges Passwort',
    next: 'Neues Passwort',
    confirmation: 'Neues Passwort wiederholen',
    change: 'Passwort ändern',
    changing: 'Wird geändert',
    changed: 'Kontopasswort geändert. Alle Ihre anderen Sitzungen und Tokens sind beendet.',
    noneHint:
      'Ihr Konto hat keines: Sie melden sich mit Single Sign-on oder einem Passkey an. Mit einem können Sie sich auch hier direkt anmelden.',
    make: 'Passwort festlegen',
    made: 'Kontopasswort festgelegt. Alle Ihre anderen Sitzungen und Tokens sind beendet.',
    empty: 'Das Passwort ist leer',
    mismatch: 'Die Wiederholung stimmt nicht mit dem Passwort überein',
    currentMissing: 'Das Passwort ist falsch',
    remove: 'Passwort entfernen',
    removeTitle: 'Das Kontopasswort entfernen?',
    removeText: (ways) =>
      `Sie melden sich dann nur noch mit ${ways.join(' oder ')} an. Alle Ihre anderen Sitzungen und Tokens enden.`,
    removeHint:
      'Wenn Sie das verlieren, kann ein Administrator dem Konto ein neues Passwort geben. Ihr Masterpasswort und Ihr Tresor bleiben, wie sie sind.',
    passkey: 'einem Passkey',
    removing: 'Wird entfernt',
    removed: 'Kontopasswort entfernt. Alle Ihre anderen Sitzungen und Tokens sind beendet.',
    cancel: 'Abbrechen',
  },
  lock: {
    title: 'Sperre und Zwischenablage',
    hint: 'Wie lange Geheimnisse in diesem Browser offen bleiben, während Sie weg sind.',
    after: 'Sperren nach',
    minutes,
    remaskAfter: 'Gezeigte Werte verbergen nach',
    remaskHint: 'Ein Einmalcode bleibt sichtbar, solange der Tresor entsperrt ist, höchstens 5 Minuten.',
    clearAfter: 'Zwischenablage leeren nach',
    clearHint:
      'Nachdem ein Geheimnis kopiert wurde. Programme, die einen Verlauf der Zwischenablage führen, können es noch haben.',
    seconds: (seconds) => (seconds < 60 ? `${seconds} Sekunden` : minutes(seconds / 60)),
    most: (most) => `Diese Site erlaubt höchstens ${most === 1 ? 'eine Minute' : `${most} Minuten`}.`,
    notKept: 'Dieser Browser speichert die Wahl nicht; sie geht verloren, wenn Sie die Seite schließen.',
  },
  appearance: {
    title: 'Darstellung',
    hint: 'Gilt für diesen Browser.',
    theme: 'Design',
    themes: { dark: 'Dunkel', light: 'Hell', system: 'System' },
    density: 'Zeilen',
    densities: { comfortable: 'Bequem', compact: 'Dicht' },
    dates: 'Datum',
    dateFormats: { plain: 'Jahr zuerst', locale: 'Sprache des Browsers' },
    dateExample: (now) => `Jetzt: ${now}`,
  },
  language: {
    title: 'Sprache',
    hint: 'Gilt für diesen Browser. Ein Wechsel lädt die Seite neu und sperrt den Tresor.',
    choice: 'Sprache der Seite',
    system: 'Wie im Browser',
    names: { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' },
  },
  serverCrypto: {
    title: 'Masterpasswort auf dem Server',
    hint: 'Diese Website sendet Ihr Masterpasswort nie an den Server. Andere Programme dürfen es, wenn weder diese Site noch Sie es verbieten.',
    optOut: 'Der Server lehnt mein Masterpasswort ab',
    optOutHint:
      'Programme, die es senden, werden abgewiesen. Sie können es jederzeit wieder erlauben. Diese Website arbeitet wie zuvor.',
    optedOut: 'Der Server lehnt Ihr Masterpasswort ab jetzt ab',
    optedIn: 'Programme dürfen Ihr Masterpasswort wieder senden',
    siteOff: 'Auf dieser Site darf kein Programm ein Masterpasswort senden.',
    exposed: (time) => `Ihr Masterpasswort wurde auf dem Server verwendet, zuletzt ${time}`,
    exposedWhat:
      'In diesem Augenblick konnte der Server Ihre Schlüssel öffnen. War es keines Ihrer Programme, handeln Sie jetzt.',
    exposedAdvice:
      'Ändern Sie Ihr Masterpasswort und haken Sie unten „Der Server lehnt mein Masterpasswort ab“ an. Kopierte Schlüssel gelten noch, bis ein Site-Admin Ihre zurücksetzt.',
    change: 'Masterpasswort ändern',
  },
  export: {
    title: 'Export',
    hint: 'Eine Datei mit den Gruppen, die Sie exportieren dürfen, für ein anderes Programm oder zum Aufbewahren.',
    start: 'Alles exportieren, was ich darf',
  },
  storage: {
    title: 'Speicherplatz',
    hint: 'Dateien und Texte über 1 kB, die Sie hinzugefügt haben, mit älteren Fassungen und dem Papierkorb.',
    failed: 'Ihr Speicherplatz konnte nicht geladen werden.',
    stored: (stored) => `Sie belegen ${stored}.`,
    storedOf: (stored, quota) => `Sie belegen ${stored} von ${quota}.`,
  },
  sessions: {
    title: 'Sitzungen',
    hint: 'Browser, in denen Sie angemeldet sind.',
    failed: 'Die Sitzungen konnten nicht geladen werden',
    current: 'dieser Browser',
    at: (address) => `unter ${address}`,
    lastSeen: (time) => `zuletzt gesehen ${time}`,
    until: (time) => `endet ${time}`,
    unknown: 'Unbekannter Browser',
    end: 'Beenden',
    endNamed: (what) => `Die Sitzung von ${what} beenden`,
    ending: 'Wird beendet',
    ended: 'Sitzung beendet',
    endOthers: 'Alle anderen beenden',
    endedOthers: (count) => (count === 1 ? 'Eine Sitzung beendet' : `${count} Sitzungen beendet`),
  },
  tokens: {
    title: 'Tokens',
    hint: 'Mit einem Token meldet sich ein Programm in Ihrem Namen an. Auch Browser, die sich von der Seite eines anderen Servers aus anmelden, haben eines.',
    failed: 'Die Tokens konnten nicht geladen werden',
    empty: 'Keine Tokens',
    current: 'dieser Browser',
    scopes: (scopes) => scopes.join(', '),
    lastUsed: (time) => `zuletzt verwendet ${time}`,
    until: (time) => `endet ${time}`,
    revoke: 'Widerrufen',
    revokeNamed: (name) => `Das Token ${name} widerrufen`,
    revoking: 'Wird widerrufen',
    revoked: (name) => `Token ${name} widerrufen`,
    add: 'Neues Token',
    dialog: 'Neues Token',
    name: 'Name',
    nameHint: 'Ersetzt ein Token mit demselben Namen.',
    days: 'Tage bis zum Ende',
    daysHint: (most) => `1 bis ${most}`,
    scope: 'Es darf',
    scopeNames: { read: 'lesen', write: 'schreiben', offline: 'die Offline-Kopie laden' },
    create: 'Token erstellen',
    creating: 'Wird erstellt',
    made: (name) => `Token ${name}`,
    once: 'Kopieren Sie es jetzt; es wird nicht wieder angezeigt. Wer es hat, kann in Ihrem Namen handeln.',
    copy: 'Token kopieren',
    copied: 'kopiert',
    done: 'Fertig',
    cancel: 'Abbrechen',
    noScope: 'Wählen Sie, was es darf.',
  },
};

export const PASSWORD_RULE: Translation<typeof PASSWORD_RULE_TEXTS> = {
  rulesUnknown:
    'Die Passwortregeln dieser Site konnten nicht geladen werden. Nichts wurde gesendet. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
  rulesRefused: (reason) =>
    `Der Server hat seine Passwortregeln nicht gesendet (${reason.replace(/\.$/, '')}). Nichts wurde gesendet. Versuchen Sie es noch einmal; hilft das nicht, fragen Sie die Betreiber des Servers.`,
  tooShort: (least) => `Auf dieser Site braucht ein Passwort mindestens ${least} Zeichen.`,
  strengthUnknown:
    'Diese Site lehnt leicht zu erratende Passwörter ab, aber dieser Browser konnte Ihres nicht prüfen. Nichts wurde gesendet. Versuchen Sie es noch einmal; hilft das nicht, laden Sie die Seite neu.',
};

export const WEAK_PASSWORD: Translation<typeof WEAK_PASSWORD_TEXTS> = {
  password: 'Ihr Kontopasswort ist schwächer, als diese Site erlaubt.',
  masterPassword: 'Ihr Masterpasswort ist schwächer, als diese Site erlaubt.',
  why: 'Wählen Sie ein längeres, das schwerer zu erraten ist.',
  changePassword: 'Passwort ändern',
  changeMasterPassword: 'Masterpasswort ändern',
};

export const FRESH_SIGN_IN: Translation<typeof FRESH_SIGN_IN_TEXTS> = {
  title: 'Bestätigen Sie zuerst Ihr Passwort',
  subtitle: 'Ihre Anmeldung ist über zehn Minuten her. Bestätigen Sie, dass Sie es sind, dann geht es weiter.',
  password: 'Passwort',
  hint: 'Das Passwort, mit dem Sie sich anmelden, nicht Ihr Masterpasswort.',
  missing: 'Bitte geben Sie das Passwort ein',
  code: 'Code',
  codeHint: 'Aus Ihrer Authenticator-App, oder ein Ersatzcode.',
  keyHint: 'Wenn Sie auf Bestätigen drücken, fragt Ihr Browser nach Ihrem Sicherheitsschlüssel oder Passkey.',
  waitingForKey: 'Warten auf Ihren Passkey',
  useKey: 'Sicherheitsschlüssel verwenden',
  useCode: 'Stattdessen einen Code eingeben',
  confirm: 'Bestätigen',
  confirming: 'Wird bestätigt',
  cancel: 'Abbrechen',
};

const groups = (count: number) => (count === 1 ? 'einer Gruppe' : `${count} Gruppen`);

export const NOTICE: Translation<typeof NOTICE_TEXTS> = {
  page: 'Mitteilungen',
  pageHint: 'Was sich in Ihren Gruppen geändert hat, 90 Tage lang. Die Arten wählen Sie auf der Seite Ihres Kontos.',
  toSettings: 'Arten wählen',
  list: 'Mitteilungen, neueste zuerst',
  unread: 'Ungelesen',
  readAll: 'Alle als gelesen markieren',
  reading: 'Wird markiert',
  older: 'Ältere Mitteilungen',
  loading: 'Mitteilungen werden geladen',
  failed: 'Die Mitteilungen konnten nicht geladen werden',
  notRead: 'Die Mitteilungen konnten nicht als gelesen markiert werden',
  retry: 'Noch einmal versuchen',
  empty: 'Noch keine Mitteilungen',
  emptyHint: 'Hier steht, wer zu Ihren Gruppen kam oder sie verließ, und was auf Sie wartet.',
  times: (count) => `${count}-mal`,
  somebody: 'Jemand',
  place: (named, count) => {
    const [first, second] = named;
    if (first === undefined) return groups(count);
    if (count === 1) return `„${first}“`;
    if (count === 2 && second !== undefined) return `„${first}“ und „${second}“`;
    return `„${first}“ und ${count === 2 ? 'einer weiteren Gruppe' : `${count - 1} weiteren Gruppen`}`;
  },
  told: {
    group_added: (place, _who, role) => `Sie wurden zu ${place} hinzugefügt, als ${role}`,
    group_removed: (place) => `Sie wurden aus ${place} entfernt`,
    role_changed: (place, _who, role) => `Ihre Rolle in ${place} ist jetzt ${role}`,
    member_joined: (place, who) => `${who} ist jetzt in ${place}`,
    member_left: (place, who) => `${who} ist nicht mehr in ${place}`,
    keys_to_change: (place) => `In ${place} werden neue Schlüssel gebraucht. Beim Öffnen erzeugt sie dieser Browser.`,
  },
  due: (title, count) => {
    if (title === undefined) return 'Die fälligen Einträge sind erledigt, oder Sie sehen sie nicht mehr';
    if (count === 1) return `„${title}“ ist fällig oder wird es in zwei Wochen`;
    const others = count === 2 ? 'ein weiterer Eintrag' : `${count - 1} weitere Einträge`;
    return `„${title}“ und ${others} sind fällig oder werden es in zwei Wochen`;
  },
  keysChanged: (place) => `In ${place} gibt es neue Schlüssel`,

  settings: {
    title: 'Welche Mitteilungen Sie bekommen',
    hint: 'Die Glocke in der Kopfzeile zeigt sie. E-Mails nennen keine Gruppen, Einträge oder Personen.',
    noMail: 'Diese Site versendet keine E-Mails.',
    kinds: {
      group_added: 'Sie werden zu einer Gruppe hinzugefügt',
      group_removed: 'Sie werden aus einer Gruppe entfernt',
      role_changed: 'Ihre Rolle in einer Gruppe ändert sich',
      member_joined: 'Jemand kommt in eine Gruppe, die Sie verwalten',
      member_left: 'Jemand verlässt eine Gruppe, die Sie verwalten',
      keys_to_change: 'Eine Gruppe, die Sie verwalten, braucht neue Schlüssel',
      entries_due: 'Einträge einer Gruppe, die Sie verwalten oder moderieren, sind fällig',
    },
    deliveries: {
      off: 'Aus',
      here: 'In der App',
      mail: 'In der App und sofort per E-Mail',
      digest: 'In der App und in der täglichen E-Mail',
    },
    hour: 'Tägliche E-Mail um',
    hourHint: (zone) => `Zeitzone: ${zone}. Ohne Neuigkeiten gibt es keine E-Mail.`,
    failed: 'Die Wahl konnte nicht gespeichert werden',
  },
};
