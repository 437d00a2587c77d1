import type { Translation } from '@passwordbroker/core/texts';
import type { OFFBOARDING_TEXTS } from '../../admin/offboarding.ts';
import type { ADMIN_INVITES_TEXTS, ADMIN_USERS_TEXTS } from '../../admin/users.ts';

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const groups = (count: number) => counted(count, 'Gruppe', 'Gruppen');

export const ADMIN_USERS: Translation<typeof ADMIN_USERS_TEXTS> = {
  table: 'Benutzer',
  columns: {
    name: 'Name',
    email: 'E-Mail',
    createdAt: 'Angelegt',
    storage: 'Speicherplatz',
    access: 'Zugang',
    actions: 'Aktionen',
  },
  search: 'Benutzer suchen',
  searchHint: 'Nach Name oder E-Mail',
  loading: 'Die Benutzer werden geladen',
  failed: 'Die Benutzer konnten nicht geladen werden.',
  nobody: '… kein Ergebnis',
  nobodyHint: 'Kein Name und keine E-Mail passt.',
  nobodyFiltered: 'Niemand steht auf dieser Liste.',
  marks: {
    admin: 'Site-Admin',
    auditor: 'Prüfer',
    disabled: 'Gesperrt',
    noKeys: 'Keine Schlüssel',
    mustRekey: 'Muss neue Schlüssel erstellen',
    exposed: 'Masterpasswort auf dem Server verwendet',
    noRecoveryKit: 'Kein Notfallblatt',
    breakGlass: 'Notfallkonto',
    provider: (name) => `Anmeldung mit ${name}`,
    noPassword: 'Kein Kontopasswort',
  },
  show: 'Zeigen',
  filters: {
    all: 'Alle',
    without_factor: 'Ohne zweiten Faktor',
    unlinked: 'Nicht mit einem Anmeldedienst verknüpft',
    break_glass: 'Notfallkonten',
  },
  edit: (name) => `${name} bearbeiten`,
  remove: (name) => `${name} löschen`,
  notYourself: 'Ihr eigenes Konto können Sie nicht löschen',
  more: (name) => `Mehr zu ${name}`,
  verbs: {
    promote: 'Zum Site-Admin machen',
    demote: 'Rolle Site-Admin entziehen',
    makeAuditor: 'Zum Prüfer machen',
    endAuditor: 'Rolle Prüfer entziehen',
    disable: 'Sperren',
    enable: 'Entsperren',
    resetKeys: 'Schlüssel zurücksetzen',
    nameBreakGlass: 'Zum Notfallkonto machen',
    endBreakGlass: 'Notfallkonto beenden',
    offboard: 'Offboarding',
  },
  asked: {
    promote: {
      title: (name) => `${name} zum Site-Admin machen?`,
      text: 'Ein Site-Admin legt Konten an, ändert und löscht sie, sieht das Protokoll und ändert die Einstellungen. Zugang zu Geheimnissen anderer Gruppen gibt das nicht.',
      confirm: 'Zum Site-Admin machen',
      confirming: 'Wird geändert',
      done: (name) => `${name} ist Site-Admin`,
    },
    demote: {
      title: (name) => `${name} die Rolle Site-Admin entziehen?`,
      text: 'Das Konto und seine Gruppen bleiben. Offene Einladungen dieser Person enden. Dem letzten Site-Admin kann die Rolle nicht entzogen werden.',
      confirm: 'Rolle Site-Admin entziehen',
      confirming: 'Wird geändert',
      done: (name) => `${name} ist kein Site-Admin mehr`,
    },
    makeAuditor: {
      title: (name) => `${name} zum Prüfer machen?`,
      text: 'Ein Prüfer liest das Protokoll, die Listen der Benutzer, Tokens, Einladungen und Backups und die Einstellungen. Ein Prüfer kann nichts ändern und keine Backups herunterladen, und die Rolle öffnet keine Gruppen.',
      confirm: 'Zum Prüfer machen',
      confirming: 'Wird geändert',
      done: (name) => `${name} ist Prüfer`,
    },
    endAuditor: {
      title: (name) => `${name} die Rolle Prüfer entziehen?`,
      text: 'Das Konto und seine Gruppen bleiben. Diese Person kann die Verwaltung nicht mehr öffnen.',
      confirm: 'Rolle Prüfer entziehen',
      confirming: 'Wird geändert',
      done: (name) => `${name} ist kein Prüfer mehr`,
    },
    disable: {
      title: (name) => `${name} sperren?`,
      text: 'Jede Sitzung, jedes Token und jede offene Einladung des Kontos endet jetzt, und niemand kann sich damit anmelden, bis es entsperrt wird. Gruppen und Schlüssel bleiben.',
      confirm: 'Sperren',
      confirming: 'Wird gesperrt',
      done: (name) => `${name} ist gesperrt`,
    },
    nameBreakGlass: {
      title: (name) => `${name} zum Notfallkonto machen?`,
      text: 'Dieser Site-Admin kann sich immer mit Kontopasswort oder Passkey anmelden, auch wenn das für andere ausgeschaltet ist. Geschieht das, erhalten alle Site-Admins eine E-Mail.',
      confirm: 'Zum Notfallkonto machen',
      confirming: 'Wird geändert',
      done: (name) => `${name} ist ein Notfallkonto`,
    },
    endBreakGlass: {
      title: (name) => `Das Notfallkonto ${name} beenden?`,
      text: 'Solange Kontopasswörter und Passkeys ausgeschaltet sind, kann sich diese Person nicht mehr damit anmelden, und so begonnene Sitzungen enden.',
      confirm: 'Notfallkonto beenden',
      confirming: 'Wird geändert',
      done: (name) => `${name} ist kein Notfallkonto mehr`,
    },
    enable: {
      title: (name) => `${name} entsperren?`,
      text: 'Die Person kann sich wieder anmelden.',
      confirm: 'Entsperren',
      confirming: 'Wird entsperrt',
      done: (name) => `${name} ist entsperrt`,
    },
  },

  removeQuestion: (name) =>
    `Den Benutzer ${name} löschen? Das Konto, seine Schlüssel und seine Mitgliedschaften werden endgültig gelöscht.`,
  removed: 'Der Benutzer wurde gelöscht',
  removeFailed: 'Ein Fehler ist aufgetreten. Versuchen Sie es später noch einmal',
  onlyAdminTitle: (name) => `${name} löschen, den einzigen Admin dieser Gruppen?`,
  onlyAdminText:
    'Gruppen mit anderen Mitgliedern bleiben lesbar, aber niemand kann Mitglieder hinzufügen oder Rollen ändern. Gruppen ohne andere Mitglieder kommen in den Papierkorb.',
  onlyAdminConfirm: 'Trotzdem löschen',
  removing: 'Wird gelöscht',
  soleGroup: (name, members) => `${name} (${counted(members, 'Mitglied', 'Mitglieder')})`,
  soleGroups: 'Gruppen ohne anderen Admin',

  reset: {
    title: (name) => `Die Schlüssel von ${name} zurücksetzen?`,
    text: 'Wenn die Person ihr Masterpasswort vergessen hat und kein Notfallblatt besitzt. Das kann nicht rückgängig gemacht werden.',
    losses: 'Was verloren geht',
    lossKeys: 'Die jetzigen Schlüssel: Alles, was nur diese Person öffnen konnte, ist verloren.',
    lossGroups: 'Alle Mitgliedschaften: Admins der Gruppen müssen die Person wieder hinzufügen.',
    lossSessions: 'Alle Sitzungen und Tokens.',
    loading: 'Gruppen ohne anderen Admin werden gesucht',
    loadFailed: 'Die Gruppen konnten nicht gesucht werden.',
    onlyMember: (count) =>
      count === 1
        ? 'In 1 Gruppe ist diese Person das einzige Mitglied. Ihre Geheimnisse sind verloren.'
        : `In ${count} Gruppen ist diese Person das einzige Mitglied. Ihre Geheimnisse sind verloren.`,
    noSoleGroups: 'Keine Gruppe verliert ihren einzigen Admin.',
    typeName: (name) => `Geben Sie zur Bestätigung ${name} ein`,
    confirm: 'Schlüssel zurücksetzen',
    confirming: 'Wird zurückgesetzt',
    done: (name) => `Die Schlüssel von ${name} sind zurückgesetzt`,
    after: 'Die Person meldet sich mit dem Kontopasswort an und erstellt neue Schlüssel.',
  },

  create: {
    page: 'Benutzer anlegen',
    email: 'E-Mail',
    username: 'Benutzername',
    password: 'Passwort',
    confirmPassword: 'Passwort wiederholen',
    masterPassword: 'Masterpasswort',
    confirmMasterPassword: 'Masterpasswort wiederholen',
    passwordsDiffer: 'Die Passwörter stimmen nicht überein',
    masterPasswordsDiffer: 'Die Masterpasswörter stimmen nicht überein',
    hint: 'Passwörter sollten mindestens eine Ziffer enthalten.',
    noDigit: 'Enthält keine Ziffer.',
    rekey:
      'Die Schlüssel werden in diesem Browser erstellt. Beim ersten Entsperren wählt die Person ein anderes Masterpasswort.',
    submit: 'Benutzer anlegen',
    making: 'Die Schlüssel werden erstellt',
    created: 'Der Benutzer wurde angelegt.',
  },

  update: {
    page: 'Benutzer bearbeiten',
    name: 'Name',
    email: 'E-Mail',
    done: 'Der Benutzer wurde geändert',
    failed: 'Ein Fehler ist aufgetreten, versuchen Sie es noch einmal',
    loading: 'Der Benutzer wird geladen',
    loadFailed: 'Der Benutzer konnte nicht geladen werden.',
    passwordTitle: 'Neues Kontopasswort',
    passwordText: 'Alle Sitzungen und Tokens der Person enden. Das Masterpasswort bleibt, wie es ist.',
    password: 'Neues Passwort',
    confirmation: 'Neues Passwort wiederholen',
    setPassword: 'Passwort setzen',
    setting: 'Wird gesetzt',
    passwordDone: 'Das Kontopasswort wurde geändert',
    back: 'Alle Benutzer',
  },
};

export const ADMIN_INVITES: Translation<typeof ADMIN_INVITES_TEXTS> = {
  page: 'Einladen',
  email: 'E-Mail',
  username: 'Benutzername',
  usernameHint: 'Leer: Die Person wählt ihn selbst.',
  groups: 'Gruppen zum Teilen',
  groupsHint:
    'Optional. Sobald die Person angenommen hat, erinnert Sie die Startseite daran, sie zu teilen. Bis dahin bleiben sie verschlossen.',
  addGroup: 'Gruppe hinzufügen',
  add: 'Hinzufügen',
  removeGroup: (title) => `${title} entfernen`,
  mostGroups: (count) => `Höchstens ${count} Gruppen.`,
  theyWill: 'Die Person',
  send: 'Einladung senden',
  sending: 'Die Daten werden gesendet',
  error: 'FEHLER DER EINLADUNG',
  badEmail: 'Bitte geben Sie eine gültige E-Mail-Adresse ein.',
  ready: 'Einladung bereit',
  wasSent: (email) => `Sie wurde per E-Mail an ${email} gesendet und kann zum Registrieren verwendet werden.`,
  notSent: (email) =>
    `An ${email} wurde keine E-Mail gesendet. Geben Sie der Person den Link selbst: Er kann zum Registrieren verwendet werden.`,
  withKey:
    'Der Link enthält Ihren Schlüssel, darum vertraut die eingeladene Person dem, was Sie teilen, ohne Schlüsselwörter zu vergleichen. Geben Sie ihn der Person selbst.',
  withoutKey:
    'Entsperren Sie den Tresor, damit der Link Ihren Schlüssel enthält: Die eingeladene Person vertraut dann dem, was Sie teilen, ohne Wörter zu vergleichen.',
  once: (time) => `Kopieren Sie ihn jetzt; er wird nicht wieder angezeigt. Gilt einmal, bis ${time}.`,
  link: 'Einladungslink',
  elsewhere: (host) =>
    `Dieser Link führt zu ${host}, das ist nicht die Adresse dieser Seite. Geben Sie ihn nur weiter, wenn Sie wissen, dass diese Adresse zu diesem Server gehört.`,
  noLink:
    'Die Antwort des Servers ist kein Link. Öffnen Sie sie nicht und geben Sie sie nicht weiter; sagen Sie es den Betreibern des Servers.',
  copy: 'Kopieren',
  copied: 'kopiert',
  copyFailed: 'Der Browser lässt die Seite nicht kopieren. Markieren Sie den Link und kopieren Sie ihn selbst.',
  list: 'Einladungen',
  columns: {
    email: 'E-Mail',
    username: 'Benutzername',
    state: 'Stand',
    createdAt: 'Erstellt',
    expiresAt: 'Gültig bis',
    actions: 'Aktionen',
  },
  states: { open: 'offen', accepted: 'angenommen', revoked: 'widerrufen', expired: 'abgelaufen' },
  loading: 'Die Einladungen werden geladen',
  failed: 'Die Einladungen konnten nicht geladen werden.',
  empty: 'Noch niemand wurde eingeladen',
  emptyHint: 'Senden Sie die erste Einladung mit dem Formular darüber.',
  resend: (email) => `Neue Einladung an ${email} senden`,
  revoke: (email) => `Einladung von ${email} widerrufen`,
  revokeTitle: (email) => `Die Einladung von ${email} widerrufen?`,
  revokeText: 'Ihr Link gilt dann nicht mehr.',
  revokeConfirm: 'Widerrufen',
  revoking: 'Wird widerrufen',
  revoked: (email) => `Die Einladung von ${email} ist widerrufen`,
};

interface Counts {
  readonly sessions: number;
  readonly tokens: number;
  readonly invitations: number;
}

const countsText = ({ sessions, tokens, invitations }: Counts) =>
  [
    counted(sessions, 'Sitzung', 'Sitzungen'),
    counted(tokens, 'Token', 'Tokens'),
    counted(invitations, 'offene Einladung', 'offene Einladungen'),
  ].join(', ');

export const OFFBOARDING: Translation<typeof OFFBOARDING_TEXTS> = {
  page: (name) => `Offboarding von ${name}`,
  title: 'Offboarding',
  pageHint:
    'Beendet den Zugang dieser Person in einem Schritt. Sie können anhalten und später weitermachen; die Seite zeigt, was noch fehlt.',
  back: 'Alle Benutzer',
  loading: 'Der Zugang dieser Person wird geladen',
  failed: 'Der Zugang dieser Person konnte nicht geladen werden.',
  offline: 'Gehen Sie zuerst online: Offboarding braucht den Server.',
  oneself: 'Ihren eigenen Zugang können Sie nicht beenden. Bitten Sie einen anderen Site-Admin darum.',

  account: 'Konto',
  ends: (counts) => `Endet sofort: ${countsText(counts)}.`,
  endsNothing: 'Keine Sitzung, kein Token und keine offene Einladung ist übrig.',
  role: { admin: 'Auch die Rolle Site-Admin endet.', auditor: 'Auch die Rolle Prüfer endet.' },
  disable: 'Konto sperren',
  disableHint: 'Niemand kann sich damit anmelden, bis es entsperrt wird. Seine Schlüssel bleiben.',
  isDisabled: 'Das Konto ist gesperrt: Niemand kann sich damit anmelden.',
  backups: 'Mails über Backups gehen an diese Adresse',
  backupsText: 'Sie kommen weiter, bis Sie die Adresse auf der Seite Backup ändern.',
  backupPage: 'Seite Backup',

  yours: (count) => `Gruppen, die Sie verwalten (${count})`,
  yoursHint:
    'Die Person wird aus diesen Gruppen entfernt. Jede Gruppe erhält einen neuen Schlüssel, solange Ihr Tresor entsperrt ist.',
  yoursAdmin:
    'In Gruppen, in denen die Person Admin ist, wird zuerst diese Rolle entzogen. Dafür wird Ihr Masterpasswort verlangt.',
  yoursNone: 'Die Person ist in keiner Gruppe, die Sie verwalten.',
  others: (count) => `Gruppen, die andere verwalten (${count})`,
  othersHint: 'Bitten Sie je einen Admin der Gruppe, die Person zu entfernen. Nur ein Admin der Gruppe kann es.',
  othersNone: 'Die Person ist in keiner anderen Gruppe.',
  columns: { group: 'Gruppe', role: 'Rolle', state: 'Stand', admins: 'Admins' },
  states: { left: 'Mitglied', removed: 'entfernt' },
  nobody: 'niemand sonst',

  submit: 'Zugang beenden',
  again: 'Weiter',
  submitting: 'Wird beendet',
  removing: (done, total) => `Wird aus Gruppe ${Math.min(done + 1, total)} von ${total} entfernt`,
  removeAction: (name) => `${name} aus Gruppen zu entfernen, in denen Sie beide Admins sind`,
  stop: 'Anhalten',
  ended: (name, counts) => `${name}: ${countsText(counts)} beendet`,
  removed: (name, count) => `${name} wurde aus ${groups(count)} entfernt`,

  done: 'Es gibt keinen Zugang mehr, den Sie beenden können',
  doneOthers: (count) => `Diese Person ist noch Mitglied in ${groups(count)}, die andere verwalten.`,
  next: 'Ändern Sie die Geheimnisse, die diese Person geöffnet hat, denn sie kennt sie vielleicht noch.',
  formerMembers: 'Was zu ändern ist',
};
