import type { COPY_TEXTS } from '../clipboard.ts';
import type { CONNECTION_TEXTS, SESSION_TEXTS } from '../connection.ts';
import type { KEYRING_TEXTS, TRUST_PROBLEM_TEXTS } from '../keyring.ts';
import type { MASTER_PASSWORD_TEXTS } from '../master-password.ts';
import type { NEW_KEYS_TEXTS } from '../new-keys.ts';
import type { OFFLINE_COPY_TEXTS } from '../offline-copy.ts';
import type { Translation } from '@passwordbroker/core/texts';

export const CONNECTION: Translation<typeof CONNECTION_TEXTS> = {
  badAnswer: 'Der Server hat eine ungültige Antwort gesendet',
  offline: 'Offline nicht verfügbar',
  silent: (seconds) => `Der Server hat innerhalb von ${seconds} Sekunden nicht geantwortet`,
};

export const COPY: Translation<typeof COPY_TEXTS> = {
  notCopied:
    'Nichts wurde kopiert: Der Browser lässt diese Seite nicht in die Zwischenablage schreiben. Erlauben Sie es für diese Seite, oder zeigen Sie den Text an, markieren und kopieren Sie ihn selbst.',
};

export const SESSION: Translation<typeof SESSION_TEXTS> = {
  copyLeft: 'Die lokale Kopie konnte nicht entfernt werden',
};

export const KEYRING: Translation<typeof KEYRING_TEXTS> = {
  locked: 'Der Tresor ist gesperrt',
  wrong_master_password: 'Das Masterpasswort ist falsch',
  other_person: 'In diesem Browser hat sich jemand anderes angemeldet',
  unusable_master_password: 'Das Masterpasswort ist leer, zu lang oder enthält ein Zeichen, das nicht möglich ist',
  ill_formed_text: 'Der Text enthält ein Zeichen, das nicht gespeichert werden kann. Geben Sie ihn neu ein.',
  key_mismatch:
    'Der Schlüssel dieser Gruppe ist nicht der richtige, darum bleibt sie hier geschlossen. Fragen Sie einen Admin der Gruppe.',
  integrity: 'Der gespeicherte Wert ist beschädigt',
  offline_copy: 'Die lokale Kopie kann nicht verwendet werden',
  import_file: 'Die Datei konnte nicht gelesen werden',
  cancelled: 'Abgebrochen',
  crashed: 'Der Tresor wurde gesperrt, weil sein Hintergrundprozess beendet wurde',
  internal: 'Etwas ist schiefgegangen',
};

export const TRUST_PROBLEM: Translation<typeof TRUST_PROBLEM_TEXTS> = {
  read_only:
    'Diese Mitgliederliste kann dieser Browser nicht annehmen. In dieser Gruppe kann nichts geändert werden, bis die Liste bestätigt ist.',
  not_admin: 'Nur ein Admin der Gruppe kann eine andere Mitgliederliste annehmen',
  other_list: 'Die Mitgliederliste auf dem Server hat sich geändert. Prüfen Sie sie erneut.',
  never_without:
    'Die unterschriebene Mitgliederliste fehlt. Diese Gruppe hatte immer eine; ohne sie ist in der Gruppe nichts vertrauenswürdig.',
  rotation_unfinished: 'Der Schlüssel dieser Gruppe wird noch geändert. Beenden Sie das zuerst.',
  key_unconfirmed: 'Der Schlüssel dieser Person ist nicht bestätigt: Vergleichen Sie zuerst die Wörter',
  key_changed: 'Der Schlüssel dieser Person hat sich geändert: Vergleichen Sie zuerst die Wörter',
  members_unsure:
    'Der Schlüssel eines Mitglieds hat sich geändert: Vergleichen Sie die Wörter oder entfernen Sie das Mitglied',
  members_unconfirmed: 'Die Mitglieder dieser Gruppe sind nicht unterschrieben: Bestätigen Sie sie zuerst',
  group_unconfirmed: 'Bestätigen Sie zuerst, wer diese Gruppe mit Ihnen teilt',
  group_unsigned:
    'Die Mitglieder dieser Gruppe sind nicht unterschrieben: Unterschreiben Sie zuerst die Mitgliederliste',
  must_compare: 'Vergleichen Sie zuerst die Schlüsselwörter mit dieser Person. Vorher dürfen Sie hier nicht teilen.',
  not_to_go_on:
    'Dieser Mitgliederliste ist nicht zu trauen, daher kann sie nicht angenommen werden. Sagen Sie es den Betreibern des Servers.',
  unasked:
    'Dieser Browser sieht die Mitglieder dieser Gruppe zum ersten Mal. Prüfen Sie sie und ändern Sie dann den Schlüssel selbst.',
  record:
    'Ihre Vertrauensliste fehlt oder ist veraltet, darum kann nichts gespeichert werden. Die Meldung oben sagt, was zu tun ist.',
  favourites_full: 'Sie haben 500 Favoriten, mehr sind nicht möglich. Entfernen Sie zuerst einen.',
  searches_full: 'Sie haben 50 Suchen gespeichert, mehr sind nicht möglich. Entfernen Sie zuerst eine.',
  other_passkey:
    'Der Passkey hat anders geantwortet als beim Hinzufügen. Verwenden Sie Ihr Masterpasswort und fügen Sie den Passkey dann neu hinzu.',
  wrong_recovery_key: 'Das ist nicht der Notfallschlüssel dieses Kontos',
  no_recovery_kit: 'Dieses Konto hat kein Notfallblatt',
  last_use: 'Beantworten Sie zuerst die Frage, wann Sie Ihr Konto zuletzt verwendet haben',
};

export const MASTER_PASSWORD: Translation<typeof MASTER_PASSWORD_TEXTS> = {
  tooltips: {
    'not entered': 'Masterpasswort nicht eingegeben',
    'in-entry': 'Masterpasswort nicht eingegeben',
    entered: 'Masterpasswort eingegeben',
    validated: 'Masterpasswort geprüft',
    incorrect: 'Masterpasswort ist falsch',
  },
  invalid: 'Das Masterpasswort ist falsch',
  missing: 'Das Masterpasswort fehlt',
  title: 'Masterpasswort',
  label: 'Masterpasswort',
  neededTo: (action) => `Nötig, um ${action}.`,
  neededLater: 'Öffnet Ihre Geheimnisse auf diesem Gerät.',
  hint: 'Wird für diese Sitzung gemerkt und beim Abmelden gelöscht.',
  hintAfterRefusal: 'Nicht das Passwort der Anmeldung. Prüfen Sie die Feststelltaste und die Tastaturbelegung.',
  cancel: 'Abbrechen',
  remember: 'Merken',
  unlocking: 'Wird entsperrt',
  usePasskey: 'Passkey verwenden',
  waitingForPasskey: 'Warten auf Ihren Passkey',
  passkeyNotStored:
    'Der Server hat gesagt, dass er dies gespeichert hat, aber er sendet es nicht. Der Passkey öffnet Ihren Tresor nicht. Sagen Sie es den Betreibern des Servers.',
  locked: 'Tresor gesperrt',
  menu: 'Menü des Masterpassworts',
  lockNow: 'Jetzt sperren',
  changeMaster: 'Masterpasswort ändern',
  ownKey: 'Ihre Schlüsselwörter',
  compareBrowsers: 'Browser vergleichen',
  habits: (minutes) =>
    `Sperrt nach ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} ohne Aktivität. Ein kopiertes Geheimnis wird innerhalb einer Minute aus der Zwischenablage entfernt; Programme, die einen Verlauf der Zwischenablage führen, können es aber noch haben.`,
  change: {
    title: 'Masterpasswort ändern',
    subtitle:
      'Ihre Schlüssel werden mit dem neuen Masterpasswort verschlüsselt. Ihre Geheimnisse bleiben, wie sie sind.',
    old: 'Altes Masterpasswort',
    next: 'Neues Masterpasswort',
    confirmation: 'Neues Masterpasswort wiederholen',
    hint: 'Niemand kann es für Sie wiederherstellen. Ältere Backups öffnen sich weiterhin mit dem alten.',
    submit: 'Ändern',
    changing: 'Wird geändert',
    continueAnyway: 'Trotz Warnungen fortfahren',
    goBack: 'Zurück und ändern',
    steps: {
      checking: 'Wird geprüft',
      trying: 'Das alte Masterpasswort wird versucht',
      locking: 'Ihre Schlüssel werden mit dem neuen verschlüsselt',
      storing: 'Ihre Schlüssel werden gespeichert',
    },
    error: (text) => `Fehler: ${text}`,
    warning: (text) => `Warnung: ${text}`,
    unusable: {
      empty: 'Das Masterpasswort ist leer',
      long: 'Das Masterpasswort ist zu lang',
      broken: 'Das Masterpasswort enthält ein Zeichen, das nicht möglich ist',
    },
    mismatch: 'Die Wiederholung stimmt nicht mit dem Masterpasswort überein',
    weak: 'Das Masterpasswort ist leicht zu erraten',
    unchanged: 'Das Masterpasswort ist dasselbe wie das alte',
    changed: 'Masterpasswort geändert',
    changedElsewhere:
      'Das Masterpasswort wurde soeben auf einem anderen Gerät geändert. Versuchen Sie es noch einmal mit jenem als altem Masterpasswort.',
    lockedMeanwhile: 'Der Tresor wurde gesperrt, bevor das fertig war. Versuchen Sie es noch einmal.',
    damaged: 'Ihre gespeicherten Schlüssel sind beschädigt. Das Masterpasswort wurde nicht geändert.',
    uncertain:
      'Die Verbindung brach ab, bevor der Server die Änderung bestätigt hat. Ihre Schlüssel öffnen sich entweder mit dem alten oder mit dem neuen Masterpasswort: Versuchen Sie beide.',
    notStored:
      'Der Server meldet, dass er die Änderung gespeichert hat, sendet aber weiterhin die alten Schlüssel. Ihr altes Masterpasswort öffnet sie noch. Sagen Sie es den Betreibern des Servers.',
    failed: 'Das Masterpasswort wurde nicht geändert',
  },
};

export const NEW_KEYS: Translation<typeof NEW_KEYS_TEXTS> = {
  title: 'Wählen Sie Ihr eigenes Masterpasswort',
  rekey:
    'Die Person, die Ihr Konto angelegt hat, hat das jetzige gewählt. Wenn Sie ein neues wählen, erstellt dieser Browser neue Schlüssel, die sonst niemand öffnen kann.',
  first:
    'Ihre Schlüssel werden in diesem Browser erstellt, und niemand sonst kann sie öffnen. Wurden Ihre alten zurückgesetzt, bitten Sie die Admins Ihrer Gruppen, Sie wieder hinzuzufügen.',
  next: 'Neues Masterpasswort',
  confirmation: 'Neues Masterpasswort wiederholen',
  hint: 'Niemand kann es für Sie wiederherstellen.',
  submit: 'Meine Schlüssel erstellen',
  making: 'Ihre Schlüssel werden erstellt',
  later: 'Tresor sperren',
  done: 'Ihre neuen Schlüssel sind bereit',
  lost: 'Die Verbindung brach ab, bevor der Server es bestätigt hat. Laden Sie die Seite neu und versuchen Sie das alte und das neue Masterpasswort: Eines davon öffnet Ihre Schlüssel.',
  notStored:
    'Der Server meldet, dass er Ihre neuen Schlüssel gespeichert hat, sendet aber andere. Ihre alten Schlüssel gelten noch, und nichts wurde gelöscht. Sagen Sie es den Betreibern des Servers.',
  steps: {
    checking: 'Wird geprüft',
    grants: 'Die Schlüssel Ihrer Gruppen werden gesammelt',
    keys: 'Ihre Schlüssel werden erstellt',
    storing: 'Sie werden verschlüsselt gespeichert',
    opening: 'Sie werden geöffnet',
  },
};

export const OFFLINE_COPY: Translation<typeof OFFLINE_COPY_TEXTS> = {
  unusable: (reason) => `Die lokale Kopie kann nicht verwendet werden: ${reason}`,
  refusals: {
    answer: CONNECTION.badAnswer,
    older: 'Die Antwort des Servers ist älter als die Kopie auf diesem Gerät',
    full: 'Dieser Browser hat keinen Platz für die Kopie',
  },
  notYourKeys: 'Der Server hat Schlüssel gesendet, die nicht Ihre sind',
  saltOfOtherKeys: 'Der Server hat Daten gesendet, die nicht zu Ihren Schlüsseln gehören',
  keyUnusable: 'ihre Schlüssel fehlen oder sind beschädigt',
  expired: 'sie wurde 30 Tage lang nicht aktualisiert',
  clockBehind:
    'die Uhr dieses Geräts geht nach: Sie zeigt eine Zeit vor der letzten Aktualisierung. Stellen Sie die Uhr richtig und versuchen Sie es noch einmal.',
  noHistory: 'Die lokale Kopie enthält nur die jetzigen Werte. Gehen Sie online, um ältere zu sehen.',
  notInCopy: 'Das ist nicht in der lokalen Kopie. Gehen Sie online, um es zu sehen.',
  noBody: 'Diese Datei ist nicht in der lokalen Kopie: Sie ist zu groß dafür oder noch nicht heruntergeladen.',
};
