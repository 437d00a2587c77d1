/** Sentences of `core` about files of other programs. They load with the first import or export. */
import { sentencesIn } from '../../translations.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  'The file is not a KeePass XML 2.x file.': 'Die Datei ist keine KeePass-XML-2.x-Datei.',
  'What was read is gone. Read the file again.': 'Das Gelesene ist nicht mehr da. Lesen Sie die Datei noch einmal.',
  'A text of “{}” is too long.': 'Ein Text von „{}“ ist zu lang.',
  'The file is larger than {} MiB.': 'Die Datei ist größer als {} MiB.',
  'The file unpacks to more than {} MiB.': 'Entpackt ist die Datei größer als {} MiB.',
  'Encrypted, this import is larger than {} MiB. Export your data in smaller parts, for example without the largest attachments, and import them one by one.':
    'Verschlüsselt ist dieser Import größer als {} MiB. Exportieren Sie Ihre Daten in kleineren Teilen, zum Beispiel ohne die größten Anhänge, und importieren Sie diese einzeln.',
  'The ZIP file is encrypted. Unpack it with another program and import what is in it.':
    'Die ZIP-Datei ist verschlüsselt. Entpacken Sie sie mit einem anderen Programm und importieren Sie den Inhalt.',
  'Opening this file asks for more work than this browser should do. Save a copy with lower settings in your program.':
    'Diese Datei zu öffnen verlangt mehr Arbeit, als dieser Browser leisten sollte. Speichern Sie in Ihrem Programm eine Kopie mit niedrigeren Einstellungen.',
  'This file is of no kind that can be imported.': 'Dateien dieser Art können nicht importiert werden.',
  'The file was made by a newer version of PasswordBroker.':
    'Die Datei stammt von einer neueren Version von PasswordBroker.',
  'The password or the key file is wrong.': 'Das Passwort oder die Schlüsseldatei ist falsch.',
  'The key file is damaged.': 'Die Schlüsseldatei ist beschädigt.',
  'KeePass 1 files (.kdb) cannot be read. Open it in KeePass 2 or KeePassXC and save it as .kdbx.':
    'Dateien von KeePass 1 (.kdb) können nicht gelesen werden. Öffnen Sie die Datei in KeePass 2 oder KeePassXC und speichern Sie sie als .kdbx.',
  'This version of KDBX cannot be read. Save the file as KDBX 4 in your program.':
    'Diese Version von KDBX kann nicht gelesen werden. Speichern Sie die Datei in Ihrem Programm als KDBX 4.',
  'The file uses Twofish. Change its encryption to AES or ChaCha20 in your program and save it.':
    'Die Datei ist mit Twofish verschlüsselt. Stellen Sie in Ihrem Programm AES oder ChaCha20 ein und speichern Sie sie.',
  'The file uses an unknown cipher. Change its encryption to AES or ChaCha20 in your program and save it.':
    'Die Verschlüsselung der Datei ist unbekannt. Stellen Sie in Ihrem Programm AES oder ChaCha20 ein und speichern Sie sie.',
  'The file uses an unknown key derivation. Change it to Argon2 in your program and save it.':
    'Die Schlüsselableitung der Datei ist unbekannt. Stellen Sie in Ihrem Programm Argon2 ein und speichern Sie sie.',
  'The file uses an old version of Argon2. Change its key derivation in your program and save it.':
    'Die Datei benutzt eine alte Version von Argon2. Ändern Sie die Schlüsselableitung in Ihrem Programm und speichern Sie sie.',
  'This file needs more than a password and a key file. Remove that in your program for a copy, and import the copy.':
    'Diese Datei braucht mehr als ein Passwort und eine Schlüsseldatei. Entfernen Sie das in Ihrem Programm für eine Kopie und importieren Sie die Kopie.',
  'This export opens only in the Bitwarden account that made it. Export again with “Password protected” or without encryption.':
    'Dieser Export lässt sich nur in dem Bitwarden-Konto öffnen, das ihn gemacht hat. Exportieren Sie noch einmal, passwortgeschützt oder ohne Verschlüsselung.',
  'Line {} does not fit the header.': 'Zeile {} passt nicht zur Kopfzeile.',
  'Line {} is too long.': 'Zeile {} ist zu lang.',
  'Choose a column for the title, the address, the user name or the password.':
    'Wählen Sie eine Spalte für den Titel, die Adresse, den Benutzernamen oder das Passwort.',
  'The file could not be read: {}.': 'Die Datei konnte nicht gelesen werden: {}.',
  'This export is encrypted with PGP. Export it from Proton Pass without, or decrypt it first.':
    'Dieser Export ist mit PGP verschlüsselt. Exportieren Sie ohne das aus Proton Pass, oder entschlüsseln Sie ihn vorher.',
  'This is a transfer between two apps (CXP) and opens in the receiving app only. Export to a file instead.':
    'Das ist eine Übertragung zwischen zwei Apps (CXP) und öffnet sich nur in der empfangenden App. Exportieren Sie stattdessen in eine Datei.',
  'This file is of another version of CXF than 1.': 'Diese Datei hat eine andere Version von CXF als 1.',
  'The password is wrong.': 'Das Passwort ist falsch.',
};

/** Why a file cannot be read, and why a part of it is left out. */
const REASONS: Readonly<Record<string, string>> = {
  'it is empty': 'Sie ist leer',
  'it is cut off': 'Sie ist abgeschnitten',
  'it is too large': 'Sie ist zu groß',
  'it is nested too deeply': 'Sie ist zu tief verschachtelt',
  'it has too many groups': 'Sie hat zu viele Gruppen',
  'it has too many versions of a field': 'Sie hat zu viele Fassungen eines Felds',
  'it has more than {} files': 'Sie hat mehr als {} Dateien',
  'it has too many entries': 'Sie hat zu viele Einträge',
  'it has too many fields': 'Sie hat zu viele Felder',
  'it has too many elements': 'Sie hat zu viele Elemente',
  'it has too many character references': 'Sie hat zu viele Zeichenverweise',
  'it contains a document type or an entity': 'Sie enthält einen Dokumenttyp oder eine Entität',
  'an element has too many attributes': 'Ein Element hat zu viele Attribute',
  'a text is too long': 'Ein Text ist zu lang',
  'its encoding is not supported': 'Ihre Zeichenkodierung wird nicht unterstützt',
  'its text is damaged': 'Ihr Text ist beschädigt',
  'line {} is not well-formed XML': 'Zeile {} ist kein gültiges XML',
  'an attachment is too large': 'Ein Anhang ist zu groß',
  'an attachment is missing': 'Ein Anhang fehlt',
  'an attachment is damaged': 'Ein Anhang ist beschädigt',
  'an attachment unpacks to an implausible size': 'Ein Anhang ist entpackt unglaubhaft groß',
  'a protected value is damaged': 'Ein geschützter Wert ist beschädigt',
  'the attachments together are too large': 'Die Anhänge sind zusammen zu groß',

  'it has too many rows': 'Sie hat zu viele Zeilen',
  'it is damaged': 'Sie ist beschädigt',
  'it has too many files': 'Sie hat zu viele Dateien',
  'it contains a link': 'Sie enthält eine Verknüpfung',
  'it has two files of the same name': 'Zwei Dateien darin haben denselben Namen',
  'a file is missing in it': 'Eine Datei fehlt darin',
  'it unpacks to an implausible size': 'Sie ist entpackt unglaubhaft groß',

  'removed before, only in the history': 'vorher entfernt, nur noch im Verlauf',
  'former, only in the history': 'früher, nur noch im Verlauf',
  'its content is not in the file': 'der Inhalt ist nicht in der Datei',
  'beyond the first {} of one import': 'nach den ersten {} eines Imports',
  'of an entry with more than {}, the oldest of them': 'die ältesten eines Eintrags mit mehr als {}',
  'not a time-based code of six digits, so it is kept as text':
    'kein zeitabhängiger Code aus sechs Ziffern, darum als Text übernommen',
  'below level {}, so its entries are in the group above':
    'unter Ebene {}, darum sind die Einträge in der Gruppe darüber',
  'too large for one entry, so it continues in “Title (2)”':
    'zu groß für einen Eintrag, darum geht es in „Titel (2)“ weiter',
  'in the recycle bin': 'im Papierkorb von KeePass',
  'cut to {} characters': 'auf {} Zeichen gekürzt',
  'auto-type is not supported': 'Auto-Type wird nicht unterstützt',
  'of a group, which is not supported': 'einer Gruppe, das wird nicht unterstützt',
  'stored by another program': 'von einem anderen Programm gespeichert',
  'of another kind than expiry': 'von anderer Art als ein Ablauf',
  'that moves ahead with each new password': 'die mit jedem neuen Passwort weiterrückt',
  'not supported': 'wird nicht unterstützt',
  'of the whole file': 'der ganzen Datei',
  'in the trash of the other program': 'im Papierkorb des anderen Programms',
  empty: 'leer',
  'in several groups, kept in the first': 'in mehreren Gruppen, in der ersten behalten',
  'of an unknown kind, its texts are notes': 'unbekannter Art, die Texte sind Notizen',
  'unknown in this kind of file, kept as a note': 'in dieser Art von Datei unbekannt, als Notiz behalten',
  'unknown in this kind of file, left out': 'in dieser Art von Datei unbekannt, weggelassen',
  'of more digits than can be kept exactly': 'mit mehr Ziffern, als genau zu behalten sind',
  'of a link, not supported': 'eines Links, wird nicht unterstützt',
  'belongs to no entry': 'gehört zu keinem Eintrag',
  'not UTF-8, read as Western European': 'nicht UTF-8, als westeuropäisch gelesen',
  'with signs in the spelling of HTML (&amp;), which was undone':
    'mit Zeichen in der Schreibweise von HTML (&amp;), die rückgängig gemacht wurde',
  'not kept in a CSV file': 'nicht in einer CSV-Datei enthalten',
  'of creation and change': 'der Erstellung und Änderung',
  'without any text': 'ohne jeden Text',
  'of the same name beside another, so they become one':
    'neben einer anderen mit demselben Namen, darum werden sie eine',
  'beside the first of its entry': 'neben dem ersten seines Eintrags',
  'without a password, link or note': 'ohne Passwort, Link oder Notiz',
  'with a beginning that table programs run as a formula: do not open the file in one':
    'mit einem Anfang, den Tabellenprogramme als Formel ausführen: Öffnen Sie die Datei nicht in einem',
  'beside the first of an entry, which KeePass programs show as text':
    'neben dem ersten eines Eintrags, den Programme für KeePass als Text zeigen',
  'kept as text; signing in with it is not possible here': 'als Text behalten; anmelden kann man sich damit hier nicht',
  'not in files of this kind': 'gibt es in Dateien dieser Art nicht',
  'as text in the notes': 'als Text in den Notizen',
  'under another name there': 'dort unter einem anderen Namen',
  'as another kind of field there': 'dort als Feld anderer Art',
  'in another group there': 'dort in einer anderen Gruppe',
  'changed there': 'dort geändert',
  'with another time, name or user name there': 'dort mit anderer Zeit, anderem Namen oder Benutzernamen',
  'its content does not fit its checksum': 'der Inhalt passt nicht zur Prüfsumme',
};

/** What an import leaves out: the thing, several of it. */
export const SKIPPED: Readonly<Record<string, readonly [one: string, several: string]>> = {
  entry: ['Eintrag', 'Einträge'],
  group: ['Gruppe', 'Gruppen'],
  field: ['Feld', 'Felder'],
  attachment: ['Anhang', 'Anhänge'],
  version: ['Fassung', 'Fassungen'],
  title: ['Titel', 'Titel'],
  note: ['Notiz', 'Notizen'],
  tag: ['Tag', 'Tags'],
  icon: ['Symbol', 'Symbole'],
  colour: ['Farbe', 'Farben'],
  description: ['Beschreibung', 'Beschreibungen'],
  'group name': ['Gruppenname', 'Gruppennamen'],
  'expiry date': ['Ablaufdatum', 'Ablaufdaten'],
  'one-time password': ['Einmalpasswort', 'Einmalpasswörter'],
  'plugin value': ['Wert eines Plugins', 'Werte von Plugins'],
  'auto-type sequence': ['Auto-Type-Folge', 'Auto-Type-Folgen'],
  file: ['Datei', 'Dateien'],
  member: ['Angabe', 'Angaben'],
  number: ['Zahl', 'Zahlen'],
  passkey: ['Passkey', 'Passkeys'],
  password: ['Passwort', 'Passwörter'],
  'match rule': ['Regel', 'Regeln'],
  'password prompt': ['Passwortabfrage', 'Passwortabfragen'],
  text: ['Text', 'Texte'],
  link: ['Link', 'Links'],
  'due date': ['Fälligkeit', 'Fälligkeiten'],
  time: ['Zeitpunkt', 'Zeitpunkte'],
  'usage date': ['Datum der Benutzung', 'Daten der Benutzung'],
  restriction: ['Beschränkung', 'Beschränkungen'],
  cell: ['Zelle', 'Zellen'],
  'auto-type association': ['Auto-Type-Zuordnung', 'Auto-Type-Zuordnungen'],
  permission: ['Recht', 'Rechte'],
};

/** A sentence about a file in German. @param otherwise for others */
export const exchangeSentences = (otherwise: (text: string) => string): ((text: string) => string) =>
  sentencesIn({ ...MESSAGES, ...REASONS }, otherwise);
