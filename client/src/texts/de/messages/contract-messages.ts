/** The fixed sentences of the contract in German. A sentence without its twin does not compile. */
import type { FIELD_TEXTS } from '@passwordbroker/core/contract/entries/fields';
import type { MEMBER_TEXTS } from '@passwordbroker/core/contract/groups/members';
import type { PROBLEM_TEXTS } from '@passwordbroker/core/contract/problem';
import type { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';
import type { INVITE_TEXTS } from '@passwordbroker/core/contract/users/invites';
import type { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';

type SentenceOf<Texts> = Extract<Texts[keyof Texts], string>;
type Sentence =
  | SentenceOf<typeof PROBLEM_TEXTS>
  | SentenceOf<typeof FIELD_TEXTS>
  | SentenceOf<typeof MEMBER_TEXTS>
  | SentenceOf<typeof INVITE_TEXTS>
  | SentenceOf<typeof BACKUP_TEXTS>
  | SentenceOf<typeof SIGN_UP_TEXTS>;

export const CONTRACT_MESSAGES: Readonly<Record<Sentence, string>> = {
  'The server did not understand this. Reload the page and try again.':
    'Der Server hat das nicht verstanden. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'You are not signed in. Sign in and try again.':
    'Sie sind nicht angemeldet. Melden Sie sich an und versuchen Sie es noch einmal.',
  'Invalid email or password': 'E-Mail oder Passwort ist falsch',
  'A second factor is needed': 'Ein zweiter Faktor wird gebraucht',
  'The code is not right': 'Der Code stimmt nicht',
  'Your sign-in has expired. Begin again.': 'Ihre Anmeldung ist abgelaufen. Beginnen Sie von vorn.',
  'Set up a second factor first': 'Richten Sie zuerst einen zweiten Faktor ein',
  'This token was made without a second factor. Make a new one.':
    'Dieses Token wurde ohne zweiten Faktor erstellt. Erstellen Sie ein neues.',
  'This account has no second factor': 'Dieses Konto hat keinen zweiten Faktor',
  'You do not have permission to do that': 'Das dürfen Sie nicht',
  'This site does not allow programs to send a master password.':
    'Auf dieser Site dürfen Programme kein Masterpasswort senden.',
  'The confirmation was not accepted. Try again.':
    'Die Bestätigung wurde nicht angenommen. Versuchen Sie es noch einmal.',
  'The confirmation came too late. Try again.': 'Die Bestätigung kam zu spät. Versuchen Sie es noch einmal.',
  'Confirm your password first': 'Bestätigen Sie zuerst Ihr Passwort',
  'The setup token is missing or wrong': 'Das Setup-Token fehlt oder ist falsch',
  'This was started by another website and was refused. Try again on this page.':
    'Das ging von einer anderen Website aus und wurde abgelehnt. Versuchen Sie es auf dieser Seite noch einmal.',
  'Not found': 'Nicht gefunden',
  'The method is not allowed here': 'Diese Methode ist hier nicht erlaubt',
  'The id is in use: this was probably saved already. Reload the page.':
    'Die Kennung ist vergeben: Das wurde wahrscheinlich schon gespeichert. Laden Sie die Seite neu.',
  'It was changed in another place in the meantime. Try again.':
    'Das wurde inzwischen an anderer Stelle geändert. Versuchen Sie es noch einmal.',
  'Offline mode is switched off in this browser or program.':
    'Der Offline-Modus ist in diesem Browser oder Programm ausgeschaltet.',
  'The list of members of this group has to be checked first. Ask an admin of the group.':
    'Die Mitgliederliste dieser Gruppe muss zuerst geprüft werden. Fragen Sie einen Admin der Gruppe.',
  'The key of a member has changed. Compare the key words with this person first.':
    'Der Schlüssel eines Mitglieds hat sich geändert. Vergleichen Sie zuerst die Schlüsselwörter mit dieser Person.',
  'Compare the key words with this person first.': 'Vergleichen Sie zuerst die Schlüsselwörter mit dieser Person.',
  'Your trust record is missing on the server. Unlock the vault in a browser that you used before.':
    'Ihre Vertrauensliste fehlt auf dem Server. Entsperren Sie den Tresor in einem Browser, den Sie schon verwendet haben.',
  'The content type is not supported': 'Diese Art von Inhalt wird nicht unterstützt',
  'This is too large for the server.': 'Das ist zu groß für den Server.',
  'CSRF token mismatch.': 'Die Sitzung dieser Seite ist veraltet. Laden Sie die Seite neu.',
  'MasterPassword is invalid': 'Das Masterpasswort ist falsch',
  'The stored value is damaged. Look for an older one in the history.':
    'Der gespeicherte Wert ist beschädigt. Suchen Sie im Verlauf nach einem älteren.',
  'Too many attempts. Try again later.': 'Zu viele Versuche. Versuchen Sie es später noch einmal.',
  'Something went wrong': 'Etwas ist schiefgegangen',
  'The server is busy. Try again.': 'Der Server ist ausgelastet. Versuchen Sie es noch einmal.',
  'The disk of the server is full. Ask a site admin to make room.':
    'Die Platte des Servers ist voll. Bitten Sie einen Site-Admin, Platz zu schaffen.',
  'There is no storage left for this. Empty the trash, or ask a site admin for more.':
    'Dafür reicht der Speicherplatz nicht. Leeren Sie den Papierkorb, oder bitten Sie einen Site-Admin um mehr.',

  'MasterPassword is missing': 'Das Masterpasswort fehlt',
  'Field Value is missing': 'Der Wert des Feldes fehlt',
  'Field File is missing': 'Die Datei des Feldes fehlt',
  'Field Value is not a valid TOTP secret': 'Der Wert des Feldes ist kein gültiges TOTP-Geheimnis',

  'This person has no keys yet. They have to sign in and unlock the vault once.':
    'Diese Person hat noch keine Schlüssel. Sie muss sich einmal anmelden und den Tresor entsperren.',
  'The account of this user is disabled': 'Das Konto dieses Benutzers ist gesperrt',
  'The user already has this role': 'Der Benutzer hat diese Rolle schon',
  'This is the last admin of the group. Make someone else an admin first.':
    'Das ist der letzte Admin der Gruppe. Machen Sie zuerst jemand anderen zum Admin.',
  'Another admin has to change your role': 'Ihre Rolle muss ein anderer Admin ändern',
  'You cannot remove yourself': 'Sie können sich nicht selbst entfernen',
  'An admin cannot be removed': 'Ein Admin kann nicht entfernt werden',

  'Please enter a valid email address.': 'Geben Sie eine gültige E-Mail-Adresse ein.',
  'The email is fixed by the invitation': 'Die E-Mail-Adresse ist durch die Einladung festgelegt',
  'The user name is fixed by the invitation': 'Der Benutzername ist durch die Einladung festgelegt',
  'This invitation is no longer valid': 'Diese Einladung ist nicht mehr gültig',
  'The invitation is not open any more': 'Die Einladung ist nicht mehr offen',
  'A group is named twice': 'Eine Gruppe ist zweimal genannt',
  'You can name only groups where you are an admin': 'Sie können nur Gruppen nennen, in denen Sie Admin sind',

  'Picking time is required': 'Wählen Sie eine Zeit aus',
  'Please select a backup file': 'Wählen Sie eine Backup-Datei aus',
  'The file is not a backup of this product.': 'Die Datei ist kein Backup dieses Produkts.',
  'The backup is damaged.': 'Das Backup ist beschädigt.',
  'The backup was made by a newer version.': 'Das Backup stammt von einer neueren Version.',
  'The backup needs a password or the password is wrong.':
    'Das Backup braucht ein Passwort, oder das Passwort ist falsch.',
  'The backup has no password. Leave the password empty.':
    'Das Backup hat kein Passwort. Lassen Sie das Passwort leer.',
  'The backup is damaged': 'Das Backup ist beschädigt',
  'The file of this backup is no longer on the server': 'Die Datei dieses Backups ist nicht mehr auf dem Server',
  'This server already has users, so no backup can be restored here':
    'Dieser Server hat schon Benutzer, darum kann hier kein Backup wiederhergestellt werden',
  'Another recovery is running. Wait until it has finished.':
    'Eine andere Wiederherstellung läuft. Warten Sie, bis sie beendet ist.',
  'No second target is set (BACKUP_COPY).': 'Es ist kein zweiter Ort eingestellt (BACKUP_COPY).',

  'User Name is empty': 'Der Benutzername fehlt',
  'This user name is already taken': 'Dieser Benutzername ist schon vergeben',
  'Incorrect email': 'Die E-Mail-Adresse ist ungültig',
  'This email is already taken': 'Diese E-Mail-Adresse ist schon vergeben',
  'Password is empty': 'Das Passwort fehlt',
  'Password Confirmation mismatch to Password': 'Die Wiederholung stimmt nicht mit dem Passwort überein',
  'Master Password is empty': 'Das Masterpasswort fehlt',
  'Master Password Confirmation mismatch to Master Password':
    'Die Wiederholung stimmt nicht mit dem Masterpasswort überein',
  'This password is easy to guess. Choose a longer one.':
    'Dieses Passwort ist leicht zu erraten. Wählen Sie ein längeres.',
};
