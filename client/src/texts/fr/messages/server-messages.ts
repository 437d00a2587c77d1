/** Further sentences of the server and of `core` in French; `{}` stands for a number or a name, in the same order. */
export const SERVER_MESSAGES: Readonly<Record<string, string>> = {
  'The {} is required.': '{} : l’indication manque.',
  'The {} must be a text.': '{} : ce doit être un texte.',
  'The {} is too long (at most {} characters).': '{} : c’est trop long (au plus {} caractères).',
  'The {} is too long (at most {}).': '{} : il y en a trop (au plus {}).',
  'The {} must be one of: {}.': '{} : seules valeurs possibles : {}.',
  'The {} must be a whole number.': '{} : ce doit être un nombre entier.',
  'The {} must be between {} and {}.': '{} : valeur possible de {} à {}.',
  'The {} must be true or false.': '{} : ce doit être oui ou non.',
  'The {} must be a list.': '{} : ce doit être une liste.',
  'The {} is not a valid id.': '{} : cet identifiant n’est pas valable.',
  'The {} does not exist.': '{} : cela n’existe pas.',
  'The {} is malformed.': '{} : l’indication est mal formée.',
  'The {} is not expected.': '{} : cette indication n’est pas attendue.',
  'The time must be a date such as 2026-03-01 or 2026-03-01T09:30:00Z.':
    'L’heure est une date comme 2026-03-01 ou 2026-03-01T09:30:00Z.',
  'The date is a day from 2000 to 2199, such as 2027-01-31.':
    'La date est un jour de 2000 à 2199, par exemple 2027-01-31.',
  'Field: Email should be filled in': 'Saisissez l’adresse e-mail',
  'Field: Password should be filled in': 'Saisissez le mot de passe',
  'The password must have at least {} characters': 'Le mot de passe doit avoir au moins {} caractères',
  'Master Password is too long': 'Le mot de passe maître est trop long',
  'Master Password contains a character that cannot be used': 'Le mot de passe maître contient un caractère impossible',
  'Master Password is identical to Password': 'Le mot de passe maître est identique au mot de passe',
  'Password is easy to guess': 'Le mot de passe est facile à deviner',
  'Master Password is easy to guess': 'Le mot de passe maître est facile à deviner',

  'An entry has at most {} tags.': 'Une entrée a au plus {} étiquettes.',
  'A tag has at most {} characters.': 'Une étiquette a au plus {} caractères.',
  'A tag has at least one letter or digit.': 'Une étiquette a au moins une lettre ou un chiffre.',
  'A tag is one line without commas and semicolons.': 'Une étiquette est une ligne sans virgules ni points-virgules.',
  'An entry has at most {} fields.': 'Une entrée a au plus {} champs.',
  'The titles, logins and file names of an entry are too long (at most {} characters in all).':
    'Les titres, identifiants et noms de fichiers d’une entrée sont trop longs (au plus {} caractères ensemble).',
  'A kind of entry has 1 to {} fields.': 'Un type d’entrée a de 1 à {} champs.',
  'Only a password has a login.': 'Seul un mot de passe a un identifiant.',
  'A group has at most {} kinds of entries of its own.': 'Un groupe a au plus {} types d’entrées propres.',

  'This address may not use the service account': 'Cette adresse ne peut pas utiliser le compte de service',
  'A site administrator disabled this account. Only a site administrator can enable it':
    'Un administrateur du site a désactivé ce compte. Seul un administrateur du site peut le réactiver',
  'A service account may not do that': 'Un compte de service ne peut pas faire cela',
  'A service account can only be a member.': 'Un compte de service ne peut être que membre.',
  'Service accounts are switched off on this site': 'Les comptes de service sont désactivés sur ce site',
  'Only site administrators can make service accounts':
    'Seuls les administrateurs du site peuvent créer des comptes de service',
  'Two credentials are in use already': 'Deux identifiants sont déjà utilisés',
  'This is not a network.': 'Ce n’est pas un réseau.',

  'Choose what to export.': 'Choisissez ce qui est exporté.',
  'The scope has too many entries (at most {}).': 'Ce sont trop d’entrées (au plus {}).',
  'The scope has too many groups (at most {}).': 'Ce sont trop de groupes (au plus {}).',
  'The scope has too many fields (at most {}).': 'Ce sont trop de champs (au plus {}).',
  'One export has at most {} files, former versions included. Export fewer groups, or without files.':
    'Un export contient au plus {} fichiers, versions précédentes comprises. Exportez moins de groupes, ou sans les fichiers.',
  'The files of one export are at most {} MiB together. Export fewer groups, or without files.':
    'Les fichiers d’un export font au plus {} MiB au total. Exportez moins de groupes, ou sans les fichiers.',
  'Exports are switched off on this site': 'Les exports sont désactivés sur ce site',
  'Unencrypted exports are switched off on this site': 'Les exports non chiffrés sont désactivés sur ce site',
  'You may not export these groups': 'Vous ne pouvez pas exporter ces groupes',
  'Another export of yours is under way': 'Un autre de vos exports est encore en cours',
  'This export has ended': 'Cet export est terminé',

  'The master password is not expected.': 'Le mot de passe maître n’est pas attendu ici.',
  'This program is too old for the server. Update it.':
    'Ce programme est trop ancien pour le serveur. Mettez-le à jour.',
  'The account has no keys yet. Unlock the vault once to make them.':
    'Le compte n’a pas encore de clés. Déverrouillez le coffre une fois pour les créer.',
  'This page or program is too old to change this group. Reload the page, or update the program.':
    'Cette page ou ce programme est trop ancien pour modifier ce groupe. Rechargez la page, ou mettez le programme à jour.',
  'This page or program is too old to make new keys. Reload the page, or update the program.':
    'Cette page ou ce programme est trop ancien pour créer de nouvelles clés. Rechargez la page, ou mettez le programme à jour.',
  'This page or program is too old to undo a move. Reload the page, or update the program.':
    'Cette page ou ce programme est trop ancien pour annuler un déplacement. Rechargez la page, ou mettez le programme à jour.',
  'Someone else signed up at the same moment. Try again.': 'Quelqu’un d’autre s’est inscrit au même moment. Réessayez.',
  'The keys were changed in the meantime. Reload the page and try again.':
    'Les clés ont été changées entre-temps. Rechargez la page et réessayez.',
  'The master password was changed in the meantime. Reload the page and try again.':
    'Le mot de passe maître a été changé entre-temps. Rechargez la page et réessayez.',
  'Password is incorrect': 'Le mot de passe est incorrect',
  'You are not an admin of 1 group below this one. Ask the admins there to delete or move it first.':
    'Vous n’êtes pas admin d’un groupe situé sous celui-ci. Demandez d’abord à ses admins de le supprimer ou de le déplacer.',
  'You are not an admin of {} groups below this one. Ask the admins there to delete or move them first.':
    'Vous n’êtes pas admin de {} groupes situés sous celui-ci. Demandez d’abord à leurs admins de les supprimer ou de les déplacer.',
  'This person is the only admin of 1 group.': 'Cette personne est le seul admin d’un groupe.',
  'This person is the only admin of {} groups.': 'Cette personne est le seul admin de {} groupes.',
  'This is the last site admin. Make someone else a site admin first.':
    'C’est le dernier admin du site. Nommez d’abord quelqu’un d’autre admin du site.',
  'On this site, a token is valid for 1 day at most.': 'Sur ce site, un jeton vaut au plus 1 jour.',
  'On this site, a token is valid for {} days at most.': 'Sur ce site, un jeton vaut au plus {} jours.',
  'A site admin sees everything that an auditor sees. To make this person an auditor, remove the site admin role first.':
    'Un admin du site voit tout ce que voit un auditeur. Pour nommer cette personne auditeur, retirez-lui d’abord le rôle d’admin du site.',
  'Passkeys need a host name, and HTTPS beyond this machine.':
    'Les clés d’accès ont besoin d’un nom d’hôte et, sauf sur cet ordinateur, de HTTPS.',
  'On this site, passkeys do not open the vault.': 'Sur ce site, les clés d’accès n’ouvrent pas le coffre.',
  'On this site, passkeys do not sign in.': 'Sur ce site, les clés d’accès ne connectent pas.',
  'This site keeps the two apart: use another passkey': 'Ce site sépare les deux : utilisez une autre clé d’accès',
  'This passkey cannot sign in here.': 'Cette clé d’accès ne peut pas connecter ici.',
  'This passkey is a security key: sign in with your password first, then use it.':
    'Cette clé d’accès est une clé de sécurité : connectez-vous d’abord avec votre mot de passe, puis utilisez-la.',
  'This passkey opens the vault after you have signed in. It does not sign in.':
    'Cette clé d’accès ouvre le coffre après votre connexion. Elle ne connecte pas.',
  'At most 20 passkeys': 'Au plus 20 clés d’accès',
  'At most 10 passkeys can open the vault': 'Au plus 10 clés d’accès peuvent ouvrir le coffre',
  'The passkey was not accepted': 'La clé d’accès n’a pas été acceptée',
  'This passkey is registered already': 'Cette clé d’accès est déjà enregistrée',
  'This passkey cannot open a vault': 'Cette clé d’accès ne peut pas ouvrir de coffre',
  'The recovery code is not right, or was used': 'Le code de récupération est incorrect ou déjà utilisé',
  'The code is not right. Look at the clock of your phone.':
    'Le code est incorrect. Vérifiez l’horloge de votre téléphone.',
  'Second factors are switched off on this site': 'Les seconds facteurs sont désactivés sur ce site',
  'This site asks for a second factor. Add another one first.':
    'Ce site demande un second facteur. Ajoutez-en d’abord un autre.',
  'This site asks for a recovery kit. Make a new one instead.':
    'Ce site demande une fiche de secours. Créez-en plutôt une nouvelle.',
  'Set up your own second factor first': 'Configurez d’abord votre propre second facteur',
  'You cannot reset your own second factors': 'Vous ne pouvez pas réinitialiser vos propres seconds facteurs',
  'Link your account first': 'Associez d’abord votre compte',
  'Give the account a password first': 'Donnez d’abord un mot de passe au compte',
  '{} does not answer.': '{} ne répond pas.',
  'The sign-in at {} did not succeed.': 'La connexion chez {} a échoué.',
  'The sign-in did not succeed. Begin again.': 'La connexion a échoué. Recommencez.',
  'You did not sign in at {}.': 'Vous ne vous êtes pas connecté chez {}.',
  '{} did not ask you to sign in again.': '{} ne vous a pas demandé de vous reconnecter.',
  'You signed in at {} as another person. Use the sign-in that your account is linked to.':
    'Vous vous êtes connecté chez {} comme une autre personne. Utilisez la connexion à laquelle votre compte est associé.',
  'An account with this address exists. Sign in to it as before, once, to link the two.':
    'Il existe un compte avec cette adresse. Connectez-vous-y une fois comme auparavant pour associer les deux.',
  'You have no account here. Ask an administrator for an invitation.':
    'Vous n’avez pas de compte ici. Demandez une invitation à un administrateur.',
  '{} did not name your address. Ask an administrator for an invitation.':
    '{} n’a pas donné votre adresse. Demandez une invitation à un administrateur.',
  'Accounts of your domain are not admitted.': 'Les comptes de votre domaine ne sont pas admis.',
  'You are not in a group that may sign in.': 'Vous n’êtes dans aucun groupe qui puisse se connecter.',
  'Your groups did not come with the sign-in.': 'Vos groupes n’ont pas été transmis à la connexion.',
  '{} has not confirmed your address.': '{} n’a pas confirmé votre adresse.',
  'The invitation is for another address.': 'L’invitation vaut pour une autre adresse.',
  'This sign-in belongs to another account': 'Cette connexion appartient à un autre compte',
  'Your account is linked to another sign-in at {}': 'Votre compte est associé à une autre connexion chez {}',
  'A break-glass account keeps its password': 'Un compte d’urgence garde son mot de passe',
  'It is your only way to sign in': 'C’est votre seule façon de vous connecter',
  'Sign in with {}.': 'Connectez-vous avec {}.',
  'Sign in with a provider first: then you know that it works.':
    'Connectez-vous d’abord par un fournisseur : vous saurez alors que cela marche.',
  'Name a break-glass account first.': 'Désignez d’abord un compte d’urgence.',
  '{} accounts are not linked and cannot sign in then. Confirm this number.':
    '{} comptes ne sont pas associés et ne pourront alors pas se connecter. Confirmez ce nombre.',
  '1 account is not linked and cannot sign in then. Confirm this number.':
    '1 compte n’est pas associé et ne pourra alors pas se connecter. Confirmez ce nombre.',
  'It needs a site admin with a password and an authenticator app or recovery codes':
    'Il faut un admin du site avec un mot de passe et une application d’authentification ou des codes de récupération',
  'Allow local sign-in first: this is the last way to sign in':
    'Permettez d’abord la connexion locale : c’est la dernière façon de se connecter',
  'The last break-glass account stays while local sign-in is off':
    'Le dernier compte d’urgence reste tant que la connexion locale est désactivée',
  'This is set by the environment of the server.': 'Cela est fixé par l’environnement du serveur.',
  'Say which domains or groups may have accounts.': 'Nommez les domaines ou les groupes qui peuvent avoir des comptes.',
  'Say in accepted_acr or accepted_amr which second factors of the provider count.':
    'Nommez dans accepted_acr ou accepted_amr les seconds facteurs du fournisseur qui comptent.',
  'The provider names no address for signing out there.': 'Le fournisseur ne nomme pas d’adresse pour s’y déconnecter.',
  'The provider does not send logout tokens.': 'Le fournisseur n’envoie pas de jetons de déconnexion.',
  'The provider publishes no keys.': 'Le fournisseur ne publie pas de clés.',
  'The provider does not accept {}.': 'Le fournisseur n’accepte pas {}.',
  'The provider does not sign with {}.': 'Le fournisseur ne signe pas avec {}.',
  'The provider cannot be used ({}).': 'Le fournisseur ne peut pas être utilisé ({}).',
  'Your account is disabled.': 'Votre compte est désactivé.',
  'You cannot offboard yourself. Ask another site admin to do it.':
    'Vous ne pouvez pas faire votre propre départ. Demandez-le à un autre admin du site.',
  'You cannot disable your own account': 'Vous ne pouvez pas désactiver votre propre compte',
  'You cannot delete your own account': 'Vous ne pouvez pas supprimer votre propre compte',
  'You cannot reset your own keys': 'Vous ne pouvez pas réinitialiser vos propres clés',
  'This would put more than {} groups inside each other. Choose a group higher up.':
    'Plus de {} groupes seraient ainsi imbriqués. Choisissez un groupe plus haut.',
  'The tree is deeper than {} groups.': 'L’arborescence dépasse {} groupes de profondeur.',
  'The entry does not belong to this entry group.': 'L’entrée n’appartient pas à ce groupe.',
  "You don't have permission to move to that group": 'Vous ne pouvez pas déplacer dans ce groupe',
  'An attachment is larger than this site allows ({}).':
    'Une pièce jointe est plus grande que ce site ne le permet ({}).',
  'Someone else has changed what was imported. Delete the imported tree if you do not need it.':
    'Quelqu’un d’autre a modifié ce qui a été importé. Supprimez l’arborescence importée si vous n’en avez pas besoin.',
  '1 value has been changed since.': '1 valeur a été modifiée depuis.',
  '{} values have been changed since.': '{} valeurs ont été modifiées depuis.',
  'This page or program is too old to undo this import. Reload the page, or update the program.':
    'Cette page ou ce programme est trop ancien pour annuler cette importation. Rechargez la page, ou mettez le programme à jour.',
  'The group or entry that it was in is in the trash too. Restore that first.':
    'Le groupe ou l’entrée où cela se trouvait est aussi dans la corbeille. Restaurez d’abord cela.',
  'The entries would go to a different group. Reload the page and try again.':
    'Les entrées iraient dans un autre groupe. Rechargez la page et réessayez.',
  'It was changed again in the meantime': 'Cela a été modifié de nouveau entre-temps',
  'The trash has changed: it has 1 deleted item now. Check it again.':
    'La corbeille a changé : elle contient maintenant 1 élément supprimé. Vérifiez-la de nouveau.',
  'The trash has changed: it has {} deleted items now. Check it again.':
    'La corbeille a changé : elle contient maintenant {} éléments supprimés. Vérifiez-la de nouveau.',
  'Signing in from your network ({}) is not allowed on this site. Ask an administrator.':
    'On ne peut pas se connecter à ce site depuis votre réseau ({}). Demandez à un administrateur.',
  'Write addresses or ranges, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32, with commas between.':
    'Écrivez des adresses ou des plages comme 192.0.2.7, 10.0.0.0/8 ou 2001:db8::/32, séparées par des virgules.',
  'Your own address, {}, is not in this list, so it would lock you out. Add it first.':
    'Votre propre adresse, {}, n’est pas dans cette liste : vous vous excluriez vous-même. Ajoutez-la d’abord.',
  'This server has no users yet. Open it at {} to sign up. If that is not its address, set PUBLIC_URL and restart it.':
    'Ce serveur n’a pas encore d’utilisateurs. Ouvrez-le à l’adresse {} pour vous inscrire. Si ce n’est pas son adresse, définissez PUBLIC_URL et redémarrez-le.',
  'The disk of the server is nearly full. You can read and delete, but not add anything. Ask a site admin to make room.':
    'Le disque du serveur est presque plein. Vous pouvez lire et supprimer, mais rien ajouter. Demandez à un admin du site de faire de la place.',
  'The disk of the server has no room for this ({}). Ask a site admin to make room.':
    'Il n’y a pas de place pour cela sur le disque du serveur ({}). Demandez à un admin du site de faire de la place.',
  'The disk of DATA_DIR is nearly full: people can read, but not add anything. Empty the trash, delete old backups or enlarge the disk.':
    'Le disque de DATA_DIR est presque plein : on peut lire, mais rien ajouter. Videz la corbeille, supprimez d’anciennes sauvegardes ou agrandissez le disque.',
  'The disk of DATA_DIR is nearly full: backups and recoveries are refused until there is room. Delete old backups or enlarge the disk.':
    'Le disque de DATA_DIR est presque plein : sauvegardes et restaurations sont refusées jusqu’à ce qu’il y ait de la place. Supprimez d’anciennes sauvegardes ou agrandissez le disque.',
  'You have used {} of {}, and this needs {}. Older versions and the trash count too. Empty the trash, or ask a site admin for more.':
    'Vous utilisez {} sur {}, et ceci demande {}. Les anciennes versions et la corbeille comptent aussi. Videz la corbeille, ou demandez-en plus à un admin du site.',
  'This site has used {} of {}, and this needs {}. Ask a site admin for more.':
    'Ce site utilise {} sur {}, et ceci demande {}. Demandez-en plus à un admin du site.',
  'No mail server is set (SMTP_URL).': 'Aucun serveur de messagerie n’est configuré (SMTP_URL).',
  'The file could not be read: it is too large. Export your data in smaller parts.':
    'Impossible de lire le fichier : il est trop grand. Exportez vos données en plus petites parties.',
};

/** Messages about backups, for site admins. */
export const BACKUP_MESSAGES: Readonly<Record<string, string>> = {
  'The server stopped while the backup was made.': 'Le serveur s’est arrêté pendant la création de la sauvegarde.',
  'There is not enough space on the disk.': 'Il n’y a pas assez de place sur le disque.',
  'The folder for backups cannot be written to.': 'Impossible d’écrire dans le dossier des sauvegardes.',
  'It could not be restored: {}.': 'Impossible de restaurer : {}.',
  'The sealed file {} is missing.': 'Le fichier chiffré {} manque.',
  'Something went wrong. The log says what.': 'Quelque chose a échoué. Le journal du serveur dit quoi.',
  'There is not enough space in the second target.': 'Il n’y a pas assez de place au second emplacement.',
  'The folder of the second target is BACKUP_DIR itself. Choose another one, better on another disk.':
    'Le dossier du second emplacement est BACKUP_DIR lui-même. Choisissez-en un autre, de préférence sur un autre disque.',
  'The second target does not answer.': 'Le second emplacement ne répond pas.',
  'The folder of the second target cannot be written to.': 'Impossible d’écrire dans le dossier du second emplacement.',
  'The folder of the second target is not there. Is its disk mounted?':
    'Le dossier du second emplacement n’est pas là. Son disque est-il monté ?',
  'The disk of the second target reports an error.': 'Le disque du second emplacement signale une erreur.',
  'The disk of the second target reports an error ({}).': 'Le disque du second emplacement signale une erreur ({}).',
  'A file of this name appeared in the second target.': 'Un fichier de ce nom est apparu au second emplacement.',
  'There is another file of this name in the second target.':
    'Il y a un autre fichier de ce nom au second emplacement.',
  'The archive has changed since it was proven, so it is not copied.':
    'L’archive a changé depuis sa vérification, elle n’est donc pas copiée.',
  'What was read back from the second target differs from the archive.':
    'Ce qui a été relu au second emplacement diffère de l’archive.',
  'The archive is not in BACKUP_DIR any more.': 'L’archive n’est plus dans BACKUP_DIR.',
  'The store refuses the access key or its secret.': 'Le stockage refuse la clé d’accès ou son secret.',
  'The store expects another region: check BACKUP_S3_REGION.':
    'Le stockage attend une autre région : vérifiez BACKUP_S3_REGION.',
  'The store redirects to another address: check BACKUP_S3_ENDPOINT and BACKUP_S3_REGION.':
    'Le stockage redirige vers une autre adresse : vérifiez BACKUP_S3_ENDPOINT et BACKUP_S3_REGION.',
  'The store does not allow it: the access key must be able to read, write, delete and list in the bucket.':
    'Le stockage ne le permet pas : la clé d’accès doit pouvoir lire, écrire, supprimer et énumérer dans le bucket.',
  'The store is busy or broken ({}).': 'Le stockage est surchargé ou en panne ({}).',
  'The clock of this server and the clock of the store differ too much: set the clock.':
    'L’horloge de ce serveur et celle du stockage sont trop décalées : réglez l’horloge.',
  'The bucket does not exist.': 'Le bucket n’existe pas.',
  'The archive is too large for the store.': 'L’archive est trop grande pour le stockage.',
  'The archive arrived changed at the store.': 'L’archive est arrivée modifiée au stockage.',
  'The store refuses it ({}).': 'Le stockage refuse ({}).',
  'The store cannot be reached.': 'Le stockage est injoignable.',
  'The store cannot be reached ({}).': 'Le stockage est injoignable ({}).',
  'The certificate of the store is not trusted. NODE_EXTRA_CA_CERTS names further authorities.':
    'Le certificat du stockage n’est pas reconnu. NODE_EXTRA_CA_CERTS nomme d’autres autorités de certification.',
  'The certificate of the store is not trusted ({}). NODE_EXTRA_CA_CERTS names further authorities.':
    'Le certificat du stockage n’est pas reconnu ({}). NODE_EXTRA_CA_CERTS nomme d’autres autorités de certification.',
  'The connection to the store failed.': 'La connexion au stockage a échoué.',
  'The connection to the store failed ({}).': 'La connexion au stockage a échoué ({}).',
};
