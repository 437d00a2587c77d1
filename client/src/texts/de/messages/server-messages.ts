/** Further sentences of the server and of `core` in German; `{}` stands for a number or a name, in the same order. */
export const SERVER_MESSAGES: Readonly<Record<string, string>> = {
  'The {} is required.': '{}: Die Angabe fehlt.',
  'The {} must be a text.': '{}: Das muss ein Text sein.',
  'The {} is too long (at most {} characters).': '{}: Das ist zu lang (höchstens {} Zeichen).',
  'The {} is too long (at most {}).': '{}: Das sind zu viele (höchstens {}).',
  'The {} must be one of: {}.': '{}: Möglich ist nur eines von: {}.',
  'The {} must be a whole number.': '{}: Das muss eine ganze Zahl sein.',
  'The {} must be between {} and {}.': '{}: Möglich ist {} bis {}.',
  'The {} must be true or false.': '{}: Möglich ist nur ja oder nein.',
  'The {} must be a list.': '{}: Das muss eine Liste sein.',
  'The {} is not a valid id.': '{}: Diese Kennung ist ungültig.',
  'The {} does not exist.': '{}: Das gibt es nicht.',
  'The {} is malformed.': '{}: Die Angabe ist fehlerhaft.',
  'The {} is not expected.': '{}: Diese Angabe wird nicht erwartet.',
  'The time must be a date such as 2026-03-01 or 2026-03-01T09:30:00Z.':
    'Die Zeit ist ein Datum wie 2026-03-01 oder 2026-03-01T09:30:00Z.',
  'The date is a day from 2000 to 2199, such as 2027-01-31.':
    'Das Datum ist ein Tag von 2000 bis 2199, zum Beispiel 2027-01-31.',
  'Field: Email should be filled in': 'Geben Sie die E-Mail-Adresse ein',
  'Field: Password should be filled in': 'Geben Sie das Passwort ein',
  'The password must have at least {} characters': 'Das Passwort braucht mindestens {} Zeichen',
  'Master Password is too long': 'Das Masterpasswort ist zu lang',
  'Master Password contains a character that cannot be used':
    'Das Masterpasswort enthält ein Zeichen, das nicht möglich ist',
  'Master Password is identical to Password': 'Das Masterpasswort ist dasselbe wie das Passwort',
  'Password is easy to guess': 'Das Passwort ist leicht zu erraten',
  'Master Password is easy to guess': 'Das Masterpasswort ist leicht zu erraten',

  'An entry has at most {} tags.': 'Ein Eintrag hat höchstens {} Tags.',
  'A tag has at most {} characters.': 'Ein Tag hat höchstens {} Zeichen.',
  'A tag has at least one letter or digit.': 'Ein Tag hat mindestens einen Buchstaben oder eine Ziffer.',
  'A tag is one line without commas and semicolons.': 'Ein Tag ist eine Zeile ohne Kommas und Strichpunkte.',
  'An entry has at most {} fields.': 'Ein Eintrag hat höchstens {} Felder.',
  'The titles, logins and file names of an entry are too long (at most {} characters in all).':
    'Die Titel, Anmeldenamen und Dateinamen eines Eintrags sind zu lang (höchstens {} Zeichen zusammen).',
  'A kind of entry has 1 to {} fields.': 'Eine Art von Eintrag hat 1 bis {} Felder.',
  'Only a password has a login.': 'Nur ein Passwort hat einen Anmeldenamen.',
  'A group has at most {} kinds of entries of its own.': 'Eine Gruppe hat höchstens {} eigene Arten von Einträgen.',

  'This address may not use the service account': 'Diese Adresse darf das Dienstkonto nicht verwenden',
  'A site administrator disabled this account. Only a site administrator can enable it':
    'Ein Site-Admin hat dieses Konto deaktiviert. Nur ein Site-Admin kann es aktivieren',
  'A service account may not do that': 'Das darf ein Dienstkonto nicht',
  'A service account can only be a member.': 'Ein Dienstkonto kann nur Mitglied sein.',
  'Service accounts are switched off on this site': 'Dienstkonten sind auf dieser Site ausgeschaltet',
  'Only site administrators can make service accounts': 'Nur Administratoren der Site können Dienstkonten erstellen',
  'Two credentials are in use already': 'Zwei Zugangsdaten sind schon in Gebrauch',
  'This is not a network.': 'Das ist kein Netz.',

  'Choose what to export.': 'Wählen Sie, was exportiert wird.',
  'The scope has too many entries (at most {}).': 'Das sind zu viele Einträge (höchstens {}).',
  'The scope has too many groups (at most {}).': 'Das sind zu viele Gruppen (höchstens {}).',
  'The scope has too many fields (at most {}).': 'Das sind zu viele Felder (höchstens {}).',
  'One export has at most {} files, former versions included. Export fewer groups, or without files.':
    'Ein Export hat höchstens {} Dateien, frühere Fassungen mitgezählt. Exportieren Sie weniger Gruppen, oder ohne Dateien.',
  'The files of one export are at most {} MiB together. Export fewer groups, or without files.':
    'Die Dateien eines Exports haben höchstens {} MiB zusammen. Exportieren Sie weniger Gruppen, oder ohne Dateien.',
  'Exports are switched off on this site': 'Exporte sind auf dieser Site ausgeschaltet',
  'Unencrypted exports are switched off on this site': 'Unverschlüsselte Exporte sind auf dieser Site ausgeschaltet',
  'You may not export these groups': 'Diese Gruppen dürfen Sie nicht exportieren',
  'Another export of yours is under way': 'Ein anderer Export von Ihnen läuft noch',
  'This export has ended': 'Dieser Export ist beendet',

  'The master password is not expected.': 'Das Masterpasswort wird hier nicht erwartet.',
  'This program is too old for the server. Update it.':
    'Dieses Programm ist zu alt für den Server. Aktualisieren Sie es.',
  'The account has no keys yet. Unlock the vault once to make them.':
    'Das Konto hat noch keine Schlüssel. Entsperren Sie den Tresor einmal, damit sie entstehen.',
  'This page or program is too old to change this group. Reload the page, or update the program.':
    'Diese Seite oder dieses Programm ist zu alt, um diese Gruppe zu ändern. Laden Sie die Seite neu, oder aktualisieren Sie das Programm.',
  'This page or program is too old to make new keys. Reload the page, or update the program.':
    'Diese Seite oder dieses Programm ist zu alt, um neue Schlüssel zu erzeugen. Laden Sie die Seite neu, oder aktualisieren Sie das Programm.',
  'This page or program is too old to undo a move. Reload the page, or update the program.':
    'Diese Seite oder dieses Programm ist zu alt, um ein Verschieben rückgängig zu machen. Laden Sie die Seite neu, oder aktualisieren Sie das Programm.',
  'Someone else signed up at the same moment. Try again.':
    'Jemand anderes hat sich im selben Moment registriert. Versuchen Sie es noch einmal.',
  'The keys were changed in the meantime. Reload the page and try again.':
    'Die Schlüssel wurden inzwischen geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'The master password was changed in the meantime. Reload the page and try again.':
    'Das Masterpasswort wurde inzwischen geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'Password is incorrect': 'Das Passwort ist falsch',
  'You are not an admin of 1 group below this one. Ask the admins there to delete or move it first.':
    'In einer Gruppe unter dieser sind Sie kein Admin. Bitten Sie zuerst die Admins dort, sie zu löschen oder zu verschieben.',
  'You are not an admin of {} groups below this one. Ask the admins there to delete or move them first.':
    'In {} Gruppen unter dieser sind Sie kein Admin. Bitten Sie zuerst die Admins dort, sie zu löschen oder zu verschieben.',
  'This person is the only admin of 1 group.': 'Diese Person ist der einzige Admin einer Gruppe.',
  'This person is the only admin of {} groups.': 'Diese Person ist der einzige Admin von {} Gruppen.',
  'This is the last site admin. Make someone else a site admin first.':
    'Das ist der letzte Site-Admin. Machen Sie zuerst jemand anderen zum Site-Admin.',
  'On this site, a token is valid for 1 day at most.': 'Auf dieser Site gilt ein Token höchstens 1 Tag.',
  'On this site, a token is valid for {} days at most.': 'Auf dieser Site gilt ein Token höchstens {} Tage.',
  'A site admin sees everything that an auditor sees. To make this person an auditor, remove the site admin role first.':
    'Ein Site-Admin sieht alles, was ein Prüfer sieht. Um diese Person zum Prüfer zu machen, entziehen Sie ihr zuerst die Rolle Site-Admin.',
  'Passkeys need a host name, and HTTPS beyond this machine.':
    'Passkeys brauchen einen Hostnamen und, außer auf diesem Rechner, HTTPS.',
  'On this site, passkeys do not open the vault.': 'Auf dieser Site öffnen Passkeys den Tresor nicht.',
  'On this site, passkeys do not sign in.': 'Auf dieser Site melden Passkeys nicht an.',
  'This site keeps the two apart: use another passkey': 'Diese Site trennt beides: Verwenden Sie einen anderen Passkey',
  'This passkey cannot sign in here.': 'Dieser Passkey kann sich hier nicht anmelden.',
  'This passkey is a security key: sign in with your password first, then use it.':
    'Dieser Passkey ist ein Sicherheitsschlüssel: Melden Sie sich zuerst mit Ihrem Passwort an, und verwenden Sie ihn dann.',
  'This passkey opens the vault after you have signed in. It does not sign in.':
    'Dieser Passkey öffnet den Tresor, nachdem Sie sich angemeldet haben. Er meldet nicht an.',
  'At most 20 passkeys': 'Höchstens 20 Passkeys',
  'At most 10 passkeys can open the vault': 'Höchstens 10 Passkeys können den Tresor öffnen',
  'The passkey was not accepted': 'Der Passkey wurde nicht angenommen',
  'This passkey is registered already': 'Dieser Passkey ist schon registriert',
  'This passkey cannot open a vault': 'Dieser Passkey kann keinen Tresor öffnen',
  'The recovery code is not right, or was used': 'Der Ersatzcode stimmt nicht oder wurde schon verwendet',
  'The code is not right. Look at the clock of your phone.':
    'Der Code stimmt nicht. Prüfen Sie die Uhr Ihres Telefons.',
  'Second factors are switched off on this site': 'Zweite Faktoren sind auf dieser Site ausgeschaltet',
  'This site asks for a second factor. Add another one first.':
    'Diese Site verlangt einen zweiten Faktor. Fügen Sie zuerst einen anderen hinzu.',
  'This site asks for a recovery kit. Make a new one instead.':
    'Diese Site verlangt ein Notfallblatt. Erstellen Sie stattdessen ein neues.',
  'Set up your own second factor first': 'Richten Sie zuerst Ihren eigenen zweiten Faktor ein',
  'You cannot reset your own second factors': 'Sie können Ihre eigenen zweiten Faktoren nicht zurücksetzen',
  'Link your account first': 'Verknüpfen Sie zuerst Ihr Konto',
  'Give the account a password first': 'Geben Sie dem Konto zuerst ein Passwort',
  '{} does not answer.': '{} antwortet nicht.',
  'The sign-in at {} did not succeed.': 'Die Anmeldung bei {} ist nicht gelungen.',
  'The sign-in did not succeed. Begin again.': 'Die Anmeldung ist nicht gelungen. Beginnen Sie von vorn.',
  'You did not sign in at {}.': 'Sie haben sich nicht bei {} angemeldet.',
  '{} did not ask you to sign in again.': '{} hat Sie nicht erneut zur Anmeldung aufgefordert.',
  'You signed in at {} as another person. Use the sign-in that your account is linked to.':
    'Sie haben sich bei {} als eine andere Person angemeldet. Nehmen Sie die Anmeldung, mit der Ihr Konto verknüpft ist.',
  'An account with this address exists. Sign in to it as before, once, to link the two.':
    'Es gibt ein Konto mit dieser Adresse. Melden Sie sich einmal wie bisher daran an, um beide zu verknüpfen.',
  'You have no account here. Ask an administrator for an invitation.':
    'Sie haben hier kein Konto. Bitten Sie einen Administrator um eine Einladung.',
  '{} did not name your address. Ask an administrator for an invitation.':
    '{} hat Ihre Adresse nicht genannt. Bitten Sie einen Administrator um eine Einladung.',
  'Accounts of your domain are not admitted.': 'Konten Ihrer Domain sind nicht zugelassen.',
  'You are not in a group that may sign in.': 'Sie sind in keiner Gruppe, die sich anmelden darf.',
  'Your groups did not come with the sign-in.': 'Ihre Gruppen wurden bei der Anmeldung nicht mitgeteilt.',
  '{} has not confirmed your address.': '{} hat Ihre Adresse nicht bestätigt.',
  'The invitation is for another address.': 'Die Einladung gilt für eine andere Adresse.',
  'This sign-in belongs to another account': 'Diese Anmeldung gehört zu einem anderen Konto',
  'Your account is linked to another sign-in at {}': 'Ihr Konto ist mit einer anderen Anmeldung bei {} verknüpft',
  'A break-glass account keeps its password': 'Ein Notfallkonto behält sein Passwort',
  'It is your only way to sign in': 'Es ist Ihre einzige Möglichkeit, sich anzumelden',
  'Sign in with {}.': 'Melden Sie sich mit {} an.',
  'Sign in with a provider first: then you know that it works.':
    'Melden Sie sich zuerst über einen Anbieter an: dann wissen Sie, dass es geht.',
  'Name a break-glass account first.': 'Bestimmen Sie zuerst ein Notfallkonto.',
  '{} accounts are not linked and cannot sign in then. Confirm this number.':
    '{} Konten sind nicht verknüpft und können sich dann nicht anmelden. Bestätigen Sie diese Zahl.',
  '1 account is not linked and cannot sign in then. Confirm this number.':
    '1 Konto ist nicht verknüpft und kann sich dann nicht anmelden. Bestätigen Sie diese Zahl.',
  'It needs a site admin with a password and an authenticator app or recovery codes':
    'Das braucht einen Site-Admin mit einem Passwort und einer Authenticator-App oder Wiederherstellungscodes',
  'Allow local sign-in first: this is the last way to sign in':
    'Erlauben Sie zuerst die lokale Anmeldung: das ist der letzte Weg, sich anzumelden',
  'The last break-glass account stays while local sign-in is off':
    'Das letzte Notfallkonto bleibt, solange die lokale Anmeldung ausgeschaltet ist',
  'This is set by the environment of the server.': 'Das ist durch die Umgebung des Servers festgelegt.',
  'Say which domains or groups may have accounts.': 'Nennen Sie die Domains oder Gruppen, die Konten haben dürfen.',
  'Say in accepted_acr or accepted_amr which second factors of the provider count.':
    'Nennen Sie in accepted_acr oder accepted_amr, welche zweiten Faktoren des Anbieters zählen.',
  'The provider names no address for signing out there.': 'Der Anbieter nennt keine Adresse, um sich dort abzumelden.',
  'The provider does not send logout tokens.': 'Der Anbieter sendet keine Logout-Tokens.',
  'The provider publishes no keys.': 'Der Anbieter veröffentlicht keine Schlüssel.',
  'The provider does not accept {}.': 'Der Anbieter akzeptiert {} nicht.',
  'The provider does not sign with {}.': 'Der Anbieter signiert nicht mit {}.',
  'The provider cannot be used ({}).': 'Der Anbieter ist nicht zu benutzen ({}).',
  'Your account is disabled.': 'Ihr Konto ist gesperrt.',
  'You cannot offboard yourself. Ask another site admin to do it.':
    'Für sich selbst können Sie kein Offboarding machen. Bitten Sie einen anderen Site-Admin darum.',
  'You cannot disable your own account': 'Sie können Ihr eigenes Konto nicht sperren',
  'You cannot delete your own account': 'Sie können Ihr eigenes Konto nicht löschen',
  'You cannot reset your own keys': 'Sie können Ihre eigenen Schlüssel nicht zurücksetzen',
  'This would put more than {} groups inside each other. Choose a group higher up.':
    'Damit lägen mehr als {} Gruppen ineinander. Wählen Sie eine Gruppe weiter oben.',
  'The tree is deeper than {} groups.': 'Der Baum ist tiefer als {} Gruppen.',
  'The entry does not belong to this entry group.': 'Der Eintrag gehört nicht zu dieser Gruppe.',
  "You don't have permission to move to that group": 'Sie dürfen nicht in diese Gruppe verschieben',
  'An attachment is larger than this site allows ({}).': 'Ein Anhang ist größer, als diese Site erlaubt ({}).',
  'Someone else has changed what was imported. Delete the imported tree if you do not need it.':
    'Jemand anderes hat geändert, was importiert wurde. Löschen Sie den importierten Baum, wenn Sie ihn nicht brauchen.',
  '1 value has been changed since.': '1 Wert wurde seitdem geändert.',
  '{} values have been changed since.': '{} Werte wurden seitdem geändert.',
  'This page or program is too old to undo this import. Reload the page, or update the program.':
    'Diese Seite oder dieses Programm ist zu alt, um diesen Import rückgängig zu machen. Laden Sie die Seite neu, oder aktualisieren Sie das Programm.',
  'The group or entry that it was in is in the trash too. Restore that first.':
    'Die Gruppe oder der Eintrag, in dem es war, liegt auch im Papierkorb. Stellen Sie zuerst das wieder her.',
  'The entries would go to a different group. Reload the page and try again.':
    'Die Einträge kämen in eine andere Gruppe. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'It was changed again in the meantime': 'Das wurde inzwischen noch einmal geändert',
  'The trash has changed: it has 1 deleted item now. Check it again.':
    'Der Papierkorb hat sich geändert: Er enthält jetzt 1 gelöschtes Element. Prüfen Sie ihn noch einmal.',
  'The trash has changed: it has {} deleted items now. Check it again.':
    'Der Papierkorb hat sich geändert: Er enthält jetzt {} gelöschte Elemente. Prüfen Sie ihn noch einmal.',
  'Signing in from your network ({}) is not allowed on this site. Ask an administrator.':
    'Aus Ihrem Netz ({}) darf man sich auf dieser Site nicht anmelden. Fragen Sie einen Administrator.',
  'Write addresses or ranges, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32, with commas between.':
    'Schreiben Sie Adressen oder Bereiche wie 192.0.2.7, 10.0.0.0/8 oder 2001:db8::/32, mit Kommas dazwischen.',
  'Your own address, {}, is not in this list, so it would lock you out. Add it first.':
    'Ihre eigene Adresse, {}, steht nicht in dieser Liste, Sie würden sich also aussperren. Fügen Sie sie zuerst hinzu.',
  'This server has no users yet. Open it at {} to sign up. If that is not its address, set PUBLIC_URL and restart it.':
    'Dieser Server hat noch keine Benutzer. Öffnen Sie ihn unter {}, um sich zu registrieren. Ist das nicht seine Adresse, setzen Sie PUBLIC_URL und starten ihn neu.',
  'The disk of the server is nearly full. You can read and delete, but not add anything. Ask a site admin to make room.':
    'Die Platte des Servers ist fast voll. Sie können lesen und löschen, aber nichts hinzufügen. Bitten Sie einen Site-Admin, Platz zu schaffen.',
  'The disk of the server has no room for this ({}). Ask a site admin to make room.':
    'Auf der Platte des Servers ist dafür kein Platz ({}). Bitten Sie einen Site-Admin, Platz zu schaffen.',
  'The disk of DATA_DIR is nearly full: people can read, but not add anything. Empty the trash, delete old backups or enlarge the disk.':
    'Die Platte von DATA_DIR ist fast voll: Man kann lesen, aber nichts hinzufügen. Leeren Sie den Papierkorb, löschen Sie alte Backups oder vergrößern Sie die Platte.',
  'The disk of DATA_DIR is nearly full: backups and recoveries are refused until there is room. Delete old backups or enlarge the disk.':
    'Die Platte von DATA_DIR ist fast voll: Backups und Wiederherstellungen werden abgelehnt, bis Platz ist. Löschen Sie alte Backups oder vergrößern Sie die Platte.',
  'You have used {} of {}, and this needs {}. Older versions and the trash count too. Empty the trash, or ask a site admin for more.':
    'Sie haben {} von {} belegt, und das hier braucht {}. Ältere Fassungen und der Papierkorb zählen mit. Leeren Sie den Papierkorb, oder bitten Sie einen Site-Admin um mehr.',
  'This site has used {} of {}, and this needs {}. Ask a site admin for more.':
    'Diese Site hat {} von {} belegt, und das hier braucht {}. Bitten Sie einen Site-Admin um mehr.',
  'No mail server is set (SMTP_URL).': 'Es ist kein Mailserver eingestellt (SMTP_URL).',
  'The file could not be read: it is too large. Export your data in smaller parts.':
    'Die Datei konnte nicht gelesen werden: Sie ist zu groß. Exportieren Sie Ihre Daten in kleineren Teilen.',
};

/** Messages about backups, for site admins. */
export const BACKUP_MESSAGES: Readonly<Record<string, string>> = {
  'The server stopped while the backup was made.': 'Der Server wurde beendet, während das Backup entstand.',
  'There is not enough space on the disk.': 'Auf der Platte ist nicht genug Platz.',
  'The folder for backups cannot be written to.': 'In den Ordner für Backups kann nicht geschrieben werden.',
  'It could not be restored: {}.': 'Es ließ sich nicht wiederherstellen: {}.',
  'The sealed file {} is missing.': 'Die verschlüsselte Datei {} fehlt.',
  'Something went wrong. The log says what.': 'Etwas ist schiefgegangen. Das Protokoll des Servers sagt, was.',
  'There is not enough space in the second target.': 'Am zweiten Ort ist nicht genug Platz.',
  'The folder of the second target is BACKUP_DIR itself. Choose another one, better on another disk.':
    'Der Ordner des zweiten Orts ist BACKUP_DIR selbst. Wählen Sie einen anderen, besser auf einer anderen Platte.',
  'The second target does not answer.': 'Der zweite Ort antwortet nicht.',
  'The folder of the second target cannot be written to.':
    'In den Ordner des zweiten Orts kann nicht geschrieben werden.',
  'The folder of the second target is not there. Is its disk mounted?':
    'Der Ordner des zweiten Orts ist nicht da. Ist seine Platte eingehängt?',
  'The disk of the second target reports an error.': 'Die Platte des zweiten Orts meldet einen Fehler.',
  'The disk of the second target reports an error ({}).': 'Die Platte des zweiten Orts meldet einen Fehler ({}).',
  'A file of this name appeared in the second target.': 'Am zweiten Ort ist eine Datei dieses Namens aufgetaucht.',
  'There is another file of this name in the second target.': 'Am zweiten Ort gibt es eine andere Datei dieses Namens.',
  'The archive has changed since it was proven, so it is not copied.':
    'Das Archiv hat sich seit seiner Prüfung geändert, darum wird es nicht kopiert.',
  'What was read back from the second target differs from the archive.':
    'Was vom zweiten Ort zurückgelesen wurde, weicht vom Archiv ab.',
  'The archive is not in BACKUP_DIR any more.': 'Das Archiv ist nicht mehr in BACKUP_DIR.',
  'The store refuses the access key or its secret.': 'Der Speicher lehnt den Zugangsschlüssel oder sein Geheimnis ab.',
  'The store expects another region: check BACKUP_S3_REGION.':
    'Der Speicher erwartet eine andere Region: Prüfen Sie BACKUP_S3_REGION.',
  'The store redirects to another address: check BACKUP_S3_ENDPOINT and BACKUP_S3_REGION.':
    'Der Speicher leitet auf eine andere Adresse um: Prüfen Sie BACKUP_S3_ENDPOINT und BACKUP_S3_REGION.',
  'The store does not allow it: the access key must be able to read, write, delete and list in the bucket.':
    'Der Speicher erlaubt es nicht: Der Zugangsschlüssel muss im Bucket lesen, schreiben, löschen und auflisten dürfen.',
  'The store is busy or broken ({}).': 'Der Speicher ist ausgelastet oder gestört ({}).',
  'The clock of this server and the clock of the store differ too much: set the clock.':
    'Die Uhr dieses Servers und die des Speichers gehen zu weit auseinander: Stellen Sie die Uhr.',
  'The bucket does not exist.': 'Den Bucket gibt es nicht.',
  'The archive is too large for the store.': 'Das Archiv ist zu groß für den Speicher.',
  'The archive arrived changed at the store.': 'Das Archiv kam verändert am Speicher an.',
  'The store refuses it ({}).': 'Der Speicher lehnt es ab ({}).',
  'The store cannot be reached.': 'Der Speicher ist nicht erreichbar.',
  'The store cannot be reached ({}).': 'Der Speicher ist nicht erreichbar ({}).',
  'The certificate of the store is not trusted. NODE_EXTRA_CA_CERTS names further authorities.':
    'Dem Zertifikat des Speichers wird nicht vertraut. NODE_EXTRA_CA_CERTS nennt weitere Zertifizierungsstellen.',
  'The certificate of the store is not trusted ({}). NODE_EXTRA_CA_CERTS names further authorities.':
    'Dem Zertifikat des Speichers wird nicht vertraut ({}). NODE_EXTRA_CA_CERTS nennt weitere Zertifizierungsstellen.',
  'The connection to the store failed.': 'Die Verbindung zum Speicher ist gescheitert.',
  'The connection to the store failed ({}).': 'Die Verbindung zum Speicher ist gescheitert ({}).',
};
