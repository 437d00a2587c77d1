import type { Translation } from '@passwordbroker/core/texts';
import type { IDENTITY_TEXTS } from '../identity/identity.ts';
import type {
  INVITATION_TEXTS,
  LOGOUT_TEXTS,
  RECOVERY_TEXTS,
  SERVER_TEXTS,
  SIGN_UP_TEXTS,
} from '../identity/signed-out.ts';

export const IDENTITY: Translation<typeof IDENTITY_TEXTS> = {
  home: 'PasswordBroker, Startseite',
  about: 'Wozu diese Seite dient',
  loading: 'PasswordBroker wird geöffnet',
  tryAgain: 'Noch einmal versuchen',
  logIn: 'Anmelden',
  passkey: 'Mit einem Passkey anmelden',
  loggingIn: 'Wird angemeldet',
  serverUrl: 'Adresse des Servers',
  email: 'E-Mail',
  password: 'Passwort',
  serverUrlMissing: 'Bitte geben Sie die Adresse des Servers ein',
  emailMissing: 'Bitte geben Sie die E-Mail-Adresse ein',
  passwordMissing: 'Bitte geben Sie das Passwort ein',
  noConnection: (host) => `Keine Verbindung zu ${host}`,
  loginFailed: 'Die Anmeldung ist fehlgeschlagen',
  maybeNotAdmitted: 'Der Server ist offline oder nimmt von hier keine Anmeldung an. Fragen Sie seinen Administrator.',
  needsHttps: 'Diese Seite braucht HTTPS: Ohne erlauben Browser keine Verschlüsselung.',
  sideLogin: 'Die Anmeldung öffnet Ihre Gruppen',
  sideLoginText: 'Geheime Werte bleiben verschlüsselt, bis Sie Ihr Masterpasswort eingeben.',
  backToGroups: 'Zurück zu den Gruppen',
  toggleTheme: 'Zwischen hell und dunkel wechseln',
  unexpected: 'Unerwarteter Fehler der Anwendung!',
  waiting: 'wird geladen …',
  reload: 'Seite neu laden',
  chunkHints: {
    missing:
      'Der Server wurde aktualisiert, seit diese Seite geöffnet ist. Laden Sie die Seite neu, um die neue Version zu erhalten.',
    timeout: 'Der Server hat einen Teil der Seite nicht rechtzeitig gesendet. Laden Sie die Seite neu.',
    error: 'Ein Teil der Seite ist nicht angekommen. Prüfen Sie die Verbindung und laden Sie die Seite neu.',
  },
};

export const SIGN_UP: Translation<typeof SIGN_UP_TEXTS> = {
  userName: 'Benutzername',
  passwordConfirmation: 'Passwort wiederholen',
  masterPassword: 'Masterpasswort',
  masterPasswordHint: 'Öffnet Ihre Geheimnisse. Niemand kann es für Sie wiederherstellen.',
  masterPasswordConfirmation: 'Masterpasswort wiederholen',
  setupToken: 'Einrichtungscode',
  setupTokenHint: 'Er steht in der Ausgabe des Servers oder in seiner Einstellung SETUP_TOKEN.',
  signUp: 'Registrieren',
  makingKeys: 'Ihre Schlüssel werden erstellt',
  firstUser: 'Ersten Benutzer anlegen',
  firstUserHint: 'Dieses Konto wird der erste Benutzer des Servers.',
  fromBackup: 'Stattdessen diesen Server aus einem Backup wiederherstellen',
  continueAnyway: 'Trotz Warnungen fortfahren',
  goBack: 'Zurück und ändern',
  checking: 'Wird geprüft',
  error: (text) => `Fehler: ${text}`,
  warning: (text) => `Warnung: ${text}`,
  identicalHint:
    'Der Server sieht Ihr Passwort bei jeder Anmeldung. Ist Ihr Masterpasswort dasselbe, kennt der Server auch dieses.',
  signUpFailed: 'Die Registrierung ist fehlgeschlagen',
  sideSignUp: 'Zwei Passwörter, zwei Aufgaben',
  sidePassword: 'Meldet Sie an diesem Server an.',
  sideMasterPassword:
    'Wird verlangt, wenn Sie ein Geheimnis anzeigen, kopieren oder ändern. Wählen Sie ein anderes als Ihr Passwort.',
};

export const INVITATION: Translation<typeof INVITATION_TEXTS> = {
  acceptInvite: 'Einladung annehmen',
  invitedBoth: 'Ihr Name und Ihre E-Mail-Adresse stehen in der Einladung.',
  invitedEmail: 'Ihre E-Mail-Adresse steht in der Einladung.',
  openingInvite: 'Ihre Einladung wird geöffnet',
  inviteError: 'FEHLER DER EINLADUNG',
  inviteGone:
    'Dieser Link wurde vielleicht schon verwendet oder ist abgelaufen. Bitten Sie einen Site-Admin um einen neuen.',
  goToLogin: 'Zur Anmeldung',
  signedInAlready: (name) =>
    `Sie sind als ${name} angemeldet. Melden Sie sich zuerst ab, um diese Einladung mit einem neuen Konto anzunehmen.`,
  logOutFirst: 'Abmelden und annehmen',
  stayIn: 'Zurück zu den Gruppen',
};

export const LOGOUT: Translation<typeof LOGOUT_TEXTS> = {
  loggingOut: 'Wird abgemeldet',
  notLoggedOut: 'Sie sind nicht abgemeldet',
  stillSignedIn:
    'Der Server hat die Abmeldung nicht bestätigt, darum ist dieser Browser vielleicht noch angemeldet. Versuchen Sie es noch einmal.',
  copyLeft: 'Die lokale Kopie ist noch auf diesem Gerät',
  copyLeftText:
    'Sie sind abgemeldet, aber der Browser hat Ihre lokale Kopie nicht entfernt. Sie ist verschlüsselt; Ihr Masterpasswort öffnet sie.',
  sideCopyLeftText: 'Auch die Sitzung auf dem Server ist beendet.',
  sideLogout: 'Ihre Schlüssel sind von dieser Seite entfernt',
  sideLogoutText: 'Nur der Server muss Ihre Sitzung noch beenden.',
};

export const RECOVERY: Translation<typeof RECOVERY_TEXTS> = {
  page: 'Wiederherstellung',
  file: 'Backup-Datei',
  drop: 'Legen Sie eine Datei hier ab oder',
  choose: 'wählen Sie eine Backup-Datei',
  fileKind: 'pb_backup_….tar.gz, oder .tar.gz.age mit Passwort',
  replace: 'Ersetzen',
  oneFileOnly: 'Nur eine Backup-Datei auf einmal',
  fileMissing: 'Bitte wählen Sie eine Backup-Datei',
  fileTooLarge:
    'Die Datei ist zu groß, um sie hier hochzuladen. Stellen Sie sie mit dem Befehl des Servers wieder her: backup restore.',
  password: 'Passwort des Archivs',
  submit: 'Wiederherstellen',
  recovering: 'Wird wiederhergestellt',
  uploading: 'Wird hochgeladen. Lassen Sie diesen Tab offen.',
  restoring: 'Wird wiederhergestellt. Lassen Sie diesen Tab offen.',
  failed: 'Etwas ist schiefgegangen, versuchen Sie es noch einmal',
  done: 'Das Backup wurde wiederhergestellt.',
  doneWhat: 'Alle müssen sich neu anmelden, mit den Passwörtern aus der Zeit des Backups.',
  goToLogin: 'Zur Anmeldung',
  createInstead: 'Stattdessen den ersten Benutzer anlegen',
  side: 'Mit einem Backup beginnen',
  sideText:
    'Wählen Sie eine Backup-Datei, um diesen Server wiederherzustellen. Hat das Archiv ein Passwort, geben Sie es ebenfalls ein.',
};

export const SERVER: Translation<typeof SERVER_TEXTS> = {
  kept: 'Früher angemeldet',
  open: (name, host) => `${name} auf ${host}`,
  opening: 'Wird geöffnet',
  forget: (host) => `${host} vergessen`,
  failed: 'Die Liste anderer Server in diesem Browser konnte nicht gelesen werden',
  unreachable: 'Der Server antwortet nicht',
  noConnection: (host) => `Keine Verbindung zu ${host}`,
  whatNow: 'Sie bleiben dort angemeldet. Prüfen Sie das Netz und versuchen Sie es noch einmal.',
  tryAgain: 'Noch einmal versuchen',
  trying: 'Wird versucht',
  otherServer: 'An einem anderen Server anmelden',
  sideTitle: 'Nichts ist verloren',
  sideText: 'Was Sie gespeichert haben, ist noch auf dem Server. Ihre Schlüssel wurden dort nie entsperrt.',
};
