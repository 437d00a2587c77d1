/** Further sentences of the server and of `core` in Spanish; `{}` stands for a number or a name, in the same order. */
export const SERVER_MESSAGES: Readonly<Record<string, string>> = {
  'The {} is required.': '{}: falta el dato.',
  'The {} must be a text.': '{}: debe ser un texto.',
  'The {} is too long (at most {} characters).': '{}: es demasiado largo ({} caracteres como máximo).',
  'The {} is too long (at most {}).': '{}: son demasiados ({} como máximo).',
  'The {} must be one of: {}.': '{}: solo es posible uno de: {}.',
  'The {} must be a whole number.': '{}: debe ser un número entero.',
  'The {} must be between {} and {}.': '{}: debe estar entre {} y {}.',
  'The {} must be true or false.': '{}: debe ser sí o no.',
  'The {} must be a list.': '{}: debe ser una lista.',
  'The {} is not a valid id.': '{}: este identificador no es válido.',
  'The {} does not exist.': '{}: no existe.',
  'The {} is malformed.': '{}: el dato está mal formado.',
  'The {} is not expected.': '{}: este dato no se espera.',
  'The time must be a date such as 2026-03-01 or 2026-03-01T09:30:00Z.':
    'La hora es una fecha como 2026-03-01 o 2026-03-01T09:30:00Z.',
  'The date is a day from 2000 to 2199, such as 2027-01-31.':
    'La fecha es un día de 2000 a 2199, por ejemplo 2027-01-31.',
  'Field: Email should be filled in': 'Escriba la dirección de correo',
  'Field: Password should be filled in': 'Escriba la contraseña',
  'The password must have at least {} characters': 'La contraseña necesita al menos {} caracteres',
  'Master Password is too long': 'La contraseña maestra es demasiado larga',
  'Master Password contains a character that cannot be used': 'La contraseña maestra contiene un carácter imposible',
  'Master Password is identical to Password': 'La contraseña maestra es igual que la contraseña',
  'Password is easy to guess': 'La contraseña es fácil de adivinar',
  'Master Password is easy to guess': 'La contraseña maestra es fácil de adivinar',

  'An entry has at most {} tags.': 'Una entrada tiene como máximo {} etiquetas.',
  'A tag has at most {} characters.': 'Una etiqueta tiene como máximo {} caracteres.',
  'A tag has at least one letter or digit.': 'Una etiqueta tiene al menos una letra o cifra.',
  'A tag is one line without commas and semicolons.': 'Una etiqueta es una línea sin comas ni puntos y comas.',
  'An entry has at most {} fields.': 'Una entrada tiene como máximo {} campos.',
  'The titles, logins and file names of an entry are too long (at most {} characters in all).':
    'Los títulos, nombres de acceso y nombres de archivo de una entrada son demasiado largos ({} caracteres juntos como máximo).',
  'A kind of entry has 1 to {} fields.': 'Un tipo de entrada tiene de 1 a {} campos.',
  'Only a password has a login.': 'Solo una contraseña tiene nombre de acceso.',
  'A group has at most {} kinds of entries of its own.': 'Un grupo tiene como máximo {} tipos de entradas propios.',

  'This address may not use the service account': 'Esta dirección no puede usar la cuenta de servicio',
  'A site administrator disabled this account. Only a site administrator can enable it':
    'Un administrador del sitio desactivó esta cuenta. Solo un administrador del sitio puede activarla',
  'A service account may not do that': 'Una cuenta de servicio no puede hacer eso',
  'A service account can only be a member.': 'Una cuenta de servicio solo puede ser miembro.',
  'Service accounts are switched off on this site': 'Las cuentas de servicio están desactivadas en este sitio',
  'Only site administrators can make service accounts':
    'Solo los administradores del sitio pueden crear cuentas de servicio',
  'Two credentials are in use already': 'Ya hay dos credenciales en uso',
  'This is not a network.': 'Esto no es una red.',

  'Choose what to export.': 'Elija lo que se exporta.',
  'The scope has too many entries (at most {}).': 'Son demasiadas entradas ({} como máximo).',
  'The scope has too many groups (at most {}).': 'Son demasiados grupos ({} como máximo).',
  'The scope has too many fields (at most {}).': 'Son demasiados campos ({} como máximo).',
  'One export has at most {} files, former versions included. Export fewer groups, or without files.':
    'Una exportación admite como máximo {} archivos adjuntos, incluidas las versiones anteriores. Exporte menos grupos, o sin archivos adjuntos.',
  'The files of one export are at most {} MiB together. Export fewer groups, or without files.':
    'Los archivos adjuntos de una exportación ocupan como máximo {} MiB en total. Exporte menos grupos, o sin archivos adjuntos.',
  'Exports are switched off on this site': 'Las exportaciones están desactivadas en este sitio',
  'Unencrypted exports are switched off on this site': 'Las exportaciones sin cifrar están desactivadas en este sitio',
  'You may not export these groups': 'No puede exportar estos grupos',
  'Another export of yours is under way': 'Otra exportación suya aún está en marcha',
  'This export has ended': 'Esta exportación ha terminado',

  'The master password is not expected.': 'La contraseña maestra no se espera aquí.',
  'This program is too old for the server. Update it.':
    'Este programa es demasiado antiguo para el servidor. Actualícelo.',
  'The account has no keys yet. Unlock the vault once to make them.':
    'La cuenta aún no tiene claves. Desbloquee la bóveda una vez para crearlas.',
  'This page or program is too old to change this group. Reload the page, or update the program.':
    'Esta página o este programa es demasiado antiguo para cambiar este grupo. Recargue la página, o actualice el programa.',
  'This page or program is too old to make new keys. Reload the page, or update the program.':
    'Esta página o este programa es demasiado antiguo para crear claves nuevas. Recargue la página, o actualice el programa.',
  'This page or program is too old to undo a move. Reload the page, or update the program.':
    'Esta página o este programa es demasiado antiguo para deshacer un movimiento. Recargue la página, o actualice el programa.',
  'Someone else signed up at the same moment. Try again.':
    'Otra persona se registró en el mismo momento. Inténtelo de nuevo.',
  'The keys were changed in the meantime. Reload the page and try again.':
    'Las claves se cambiaron entretanto. Recargue la página e inténtelo de nuevo.',
  'The master password was changed in the meantime. Reload the page and try again.':
    'La contraseña maestra se cambió entretanto. Recargue la página e inténtelo de nuevo.',
  'Password is incorrect': 'La contraseña es incorrecta',
  'You are not an admin of 1 group below this one. Ask the admins there to delete or move it first.':
    'En un grupo por debajo de este usted no es administrador. Pida primero a sus administradores que lo eliminen o lo muevan.',
  'You are not an admin of {} groups below this one. Ask the admins there to delete or move them first.':
    'En {} grupos por debajo de este usted no es administrador. Pida primero a sus administradores que los eliminen o los muevan.',
  'This person is the only admin of 1 group.': 'Esta persona es la única administradora de un grupo.',
  'This person is the only admin of {} groups.': 'Esta persona es la única administradora de {} grupos.',
  'This is the last site admin. Make someone else a site admin first.':
    'Es el último administrador del sitio. Haga primero administrador del sitio a otra persona.',
  'On this site, a token is valid for 1 day at most.': 'En este sitio un token vale como máximo 1 día.',
  'On this site, a token is valid for {} days at most.': 'En este sitio un token vale como máximo {} días.',
  'A site admin sees everything that an auditor sees. To make this person an auditor, remove the site admin role first.':
    'Un administrador del sitio ve todo lo que ve un auditor. Para hacer auditora a esta persona, quítele primero el rol de administrador del sitio.',
  'Passkeys need a host name, and HTTPS beyond this machine.':
    'Las llaves de acceso necesitan un nombre de servidor y, salvo en este ordenador, HTTPS.',
  'On this site, passkeys do not open the vault.': 'En este sitio las llaves de acceso no abren la bóveda.',
  'On this site, passkeys do not sign in.': 'En este sitio las llaves de acceso no inician sesión.',
  'This site keeps the two apart: use another passkey': 'Este sitio separa ambas cosas: use otra llave de acceso',
  'This passkey cannot sign in here.': 'Esta llave de acceso no puede iniciar sesión aquí.',
  'This passkey is a security key: sign in with your password first, then use it.':
    'Esta llave de acceso es una llave de seguridad: inicie primero sesión con su contraseña y úsela después.',
  'This passkey opens the vault after you have signed in. It does not sign in.':
    'Esta llave de acceso abre la bóveda después de iniciar sesión. No inicia sesión.',
  'At most 20 passkeys': '20 llaves de acceso como máximo',
  'At most 10 passkeys can open the vault': '10 llaves de acceso como máximo pueden abrir la bóveda',
  'The passkey was not accepted': 'La llave de acceso no se aceptó',
  'This passkey is registered already': 'Esta llave de acceso ya está registrada',
  'This passkey cannot open a vault': 'Esta llave de acceso no puede abrir una bóveda',
  'The recovery code is not right, or was used': 'El código de recuperación es incorrecto o ya se usó',
  'The code is not right. Look at the clock of your phone.':
    'El código es incorrecto. Compruebe el reloj de su teléfono.',
  'Second factors are switched off on this site': 'Los segundos factores están desactivados en este sitio',
  'This site asks for a second factor. Add another one first.':
    'Este sitio exige un segundo factor. Añada primero otro.',
  'This site asks for a recovery kit. Make a new one instead.':
    'Este sitio exige una hoja de emergencia. Cree en su lugar una nueva.',
  'Set up your own second factor first': 'Configure primero su propio segundo factor',
  'You cannot reset your own second factors': 'No puede restablecer sus propios segundos factores',
  'Link your account first': 'Vincule primero su cuenta',
  'Give the account a password first': 'Dé primero una contraseña a la cuenta',
  '{} does not answer.': '{} no responde.',
  'The sign-in at {} did not succeed.': 'El inicio de sesión en {} ha fallado.',
  'The sign-in did not succeed. Begin again.': 'El inicio de sesión ha fallado. Empiece de nuevo.',
  'You did not sign in at {}.': 'No ha iniciado sesión en {}.',
  '{} did not ask you to sign in again.': '{} no le pidió que iniciara sesión de nuevo.',
  'You signed in at {} as another person. Use the sign-in that your account is linked to.':
    'Ha iniciado sesión en {} como otra persona. Use el inicio de sesión con el que está vinculada su cuenta.',
  'An account with this address exists. Sign in to it as before, once, to link the two.':
    'Hay una cuenta con esta dirección. Inicie sesión en ella una vez como hasta ahora para vincular ambas.',
  'You have no account here. Ask an administrator for an invitation.':
    'Usted no tiene cuenta aquí. Pida una invitación a un administrador.',
  '{} did not name your address. Ask an administrator for an invitation.':
    '{} no ha dicho su dirección. Pida una invitación a un administrador.',
  'Accounts of your domain are not admitted.': 'Las cuentas de su dominio no están admitidas.',
  'You are not in a group that may sign in.': 'Usted no está en ningún grupo que pueda iniciar sesión.',
  'Your groups did not come with the sign-in.': 'Sus grupos no se comunicaron en el inicio de sesión.',
  '{} has not confirmed your address.': '{} no ha confirmado su dirección.',
  'The invitation is for another address.': 'La invitación vale para otra dirección.',
  'This sign-in belongs to another account': 'Este inicio de sesión es de otra cuenta',
  'Your account is linked to another sign-in at {}': 'Su cuenta está vinculada con otro inicio de sesión en {}',
  'A break-glass account keeps its password': 'Una cuenta de emergencia conserva su contraseña',
  'It is your only way to sign in': 'Es su única forma de iniciar sesión',
  'Sign in with {}.': 'Inicie sesión con {}.',
  'Sign in with a provider first: then you know that it works.':
    'Inicie primero sesión con un proveedor: así sabrá que funciona.',
  'Name a break-glass account first.': 'Designe primero una cuenta de emergencia.',
  '{} accounts are not linked and cannot sign in then. Confirm this number.':
    '{} cuentas no están vinculadas y entonces no podrán iniciar sesión. Confirme este número.',
  '1 account is not linked and cannot sign in then. Confirm this number.':
    '1 cuenta no está vinculada y entonces no podrá iniciar sesión. Confirme este número.',
  'It needs a site admin with a password and an authenticator app or recovery codes':
    'Se necesita un administrador del sitio con contraseña y aplicación de autenticación o códigos de recuperación',
  'Allow local sign-in first: this is the last way to sign in':
    'Permita primero el inicio de sesión local: es la última forma de iniciar sesión',
  'The last break-glass account stays while local sign-in is off':
    'La última cuenta de emergencia queda mientras el inicio de sesión local esté desactivado',
  'This is set by the environment of the server.': 'Esto lo fija el entorno del servidor.',
  'Say which domains or groups may have accounts.': 'Nombre los dominios o grupos que pueden tener cuentas.',
  'Say in accepted_acr or accepted_amr which second factors of the provider count.':
    'Nombre en accepted_acr o accepted_amr qué segundos factores del proveedor cuentan.',
  'The provider names no address for signing out there.':
    'El proveedor no nombra una dirección para cerrar sesión allí.',
  'The provider does not send logout tokens.': 'El proveedor no envía tokens de cierre de sesión.',
  'The provider publishes no keys.': 'El proveedor no publica claves.',
  'The provider does not accept {}.': 'El proveedor no acepta {}.',
  'The provider does not sign with {}.': 'El proveedor no firma con {}.',
  'The provider cannot be used ({}).': 'El proveedor no se puede usar ({}).',
  'Your account is disabled.': 'Su cuenta está desactivada.',
  'You cannot offboard yourself. Ask another site admin to do it.':
    'No puede hacer su propia salida. Pídaselo a otro administrador del sitio.',
  'You cannot disable your own account': 'No puede desactivar su propia cuenta',
  'You cannot delete your own account': 'No puede eliminar su propia cuenta',
  'You cannot reset your own keys': 'No puede restablecer sus propias claves',
  'This would put more than {} groups inside each other. Choose a group higher up.':
    'Así habría más de {} grupos uno dentro de otro. Elija un grupo más arriba.',
  'The tree is deeper than {} groups.': 'El árbol tiene más de {} grupos de profundidad.',
  'The entry does not belong to this entry group.': 'La entrada no es de este grupo.',
  "You don't have permission to move to that group": 'No puede mover a este grupo',
  'An attachment is larger than this site allows ({}).': 'Un adjunto es mayor de lo que permite este sitio ({}).',
  'Someone else has changed what was imported. Delete the imported tree if you do not need it.':
    'Otra persona cambió lo que se importó. Elimine el árbol importado si no lo necesita.',
  '1 value has been changed since.': '1 valor se ha cambiado desde entonces.',
  '{} values have been changed since.': '{} valores se han cambiado desde entonces.',
  'This page or program is too old to undo this import. Reload the page, or update the program.':
    'Esta página o este programa es demasiado antiguo para deshacer esta importación. Recargue la página, o actualice el programa.',
  'The group or entry that it was in is in the trash too. Restore that first.':
    'El grupo o la entrada donde estaba también está en la papelera. Restaure eso primero.',
  'The entries would go to a different group. Reload the page and try again.':
    'Las entradas irían a otro grupo. Recargue la página e inténtelo de nuevo.',
  'It was changed again in the meantime': 'Entretanto se cambió de nuevo',
  'The trash has changed: it has 1 deleted item now. Check it again.':
    'La papelera ha cambiado: ahora contiene 1 elemento eliminado. Compruébela de nuevo.',
  'The trash has changed: it has {} deleted items now. Check it again.':
    'La papelera ha cambiado: ahora contiene {} elementos eliminados. Compruébela de nuevo.',
  'Signing in from your network ({}) is not allowed on this site. Ask an administrator.':
    'Desde su red ({}) no se puede iniciar sesión en este sitio. Pregunte a un administrador.',
  'Write addresses or ranges, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32, with commas between.':
    'Escriba direcciones o rangos como 192.0.2.7, 10.0.0.0/8 o 2001:db8::/32, separados por comas.',
  'Your own address, {}, is not in this list, so it would lock you out. Add it first.':
    'Su propia dirección, {}, no está en esta lista, así que usted se dejaría fuera. Añádala primero.',
  'This server has no users yet. Open it at {} to sign up. If that is not its address, set PUBLIC_URL and restart it.':
    'Este servidor aún no tiene usuarios. Ábralo en {} para registrarse. Si esa no es su dirección, establezca PUBLIC_URL y reinícielo.',
  'The disk of the server is nearly full. You can read and delete, but not add anything. Ask a site admin to make room.':
    'El disco del servidor está casi lleno. Puede leer y eliminar, pero no añadir nada. Pida a un administrador del sitio que haga sitio.',
  'The disk of the server has no room for this ({}). Ask a site admin to make room.':
    'En el disco del servidor no hay sitio para esto ({}). Pida a un administrador del sitio que haga sitio.',
  'The disk of DATA_DIR is nearly full: people can read, but not add anything. Empty the trash, delete old backups or enlarge the disk.':
    'El disco de DATA_DIR está casi lleno: se puede leer, pero no añadir nada. Vacíe la papelera, elimine copias antiguas o amplíe el disco.',
  'The disk of DATA_DIR is nearly full: backups and recoveries are refused until there is room. Delete old backups or enlarge the disk.':
    'El disco de DATA_DIR está casi lleno: las copias y restauraciones se rechazan hasta que haya sitio. Elimine copias antiguas o amplíe el disco.',
  'You have used {} of {}, and this needs {}. Older versions and the trash count too. Empty the trash, or ask a site admin for more.':
    'Usted ocupa {} de {}, y esto necesita {}. Las versiones anteriores y la papelera también cuentan. Vacíe la papelera, o pida más a un administrador del sitio.',
  'This site has used {} of {}, and this needs {}. Ask a site admin for more.':
    'Este sitio ocupa {} de {}, y esto necesita {}. Pida más a un administrador del sitio.',
  'No mail server is set (SMTP_URL).': 'No hay servidor de correo configurado (SMTP_URL).',
  'The file could not be read: it is too large. Export your data in smaller parts.':
    'No se pudo leer el archivo: es demasiado grande. Exporte sus datos en partes más pequeñas.',
};

/** Messages about backups, for site admins. */
export const BACKUP_MESSAGES: Readonly<Record<string, string>> = {
  'The server stopped while the backup was made.': 'El servidor se detuvo mientras se hacía la copia.',
  'There is not enough space on the disk.': 'No hay sitio suficiente en el disco.',
  'The folder for backups cannot be written to.': 'No se puede escribir en la carpeta de copias.',
  'It could not be restored: {}.': 'No se pudo restaurar: {}.',
  'The sealed file {} is missing.': 'Falta el archivo cifrado {}.',
  'Something went wrong. The log says what.': 'Algo ha fallado. El registro del servidor dice qué.',
  'There is not enough space in the second target.': 'No hay sitio suficiente en el segundo lugar.',
  'The folder of the second target is BACKUP_DIR itself. Choose another one, better on another disk.':
    'La carpeta del segundo lugar es la propia BACKUP_DIR. Elija otra, mejor en otro disco.',
  'The second target does not answer.': 'El segundo lugar no responde.',
  'The folder of the second target cannot be written to.': 'No se puede escribir en la carpeta del segundo lugar.',
  'The folder of the second target is not there. Is its disk mounted?':
    'La carpeta del segundo lugar no está. ¿Está montado su disco?',
  'The disk of the second target reports an error.': 'El disco del segundo lugar comunica un error.',
  'The disk of the second target reports an error ({}).': 'El disco del segundo lugar comunica un error ({}).',
  'A file of this name appeared in the second target.': 'En el segundo lugar ha aparecido un archivo con este nombre.',
  'There is another file of this name in the second target.': 'En el segundo lugar hay otro archivo con este nombre.',
  'The archive has changed since it was proven, so it is not copied.':
    'El archivo de copia ha cambiado desde su comprobación, así que no se copia.',
  'What was read back from the second target differs from the archive.':
    'Lo leído de vuelta del segundo lugar difiere del archivo de copia.',
  'The archive is not in BACKUP_DIR any more.': 'El archivo de copia ya no está en BACKUP_DIR.',
  'The store refuses the access key or its secret.': 'El almacenamiento rechaza la clave de acceso o su secreto.',
  'The store expects another region: check BACKUP_S3_REGION.':
    'El almacenamiento espera otra región: compruebe BACKUP_S3_REGION.',
  'The store redirects to another address: check BACKUP_S3_ENDPOINT and BACKUP_S3_REGION.':
    'El almacenamiento redirige a otra dirección: compruebe BACKUP_S3_ENDPOINT y BACKUP_S3_REGION.',
  'The store does not allow it: the access key must be able to read, write, delete and list in the bucket.':
    'El almacenamiento no lo permite: la clave de acceso debe poder leer, escribir, eliminar y enumerar en el bucket.',
  'The store is busy or broken ({}).': 'El almacenamiento está ocupado o averiado ({}).',
  'The clock of this server and the clock of the store differ too much: set the clock.':
    'Los relojes de este servidor y del almacenamiento difieren demasiado: ponga el reloj en hora.',
  'The bucket does not exist.': 'El bucket no existe.',
  'The archive is too large for the store.': 'El archivo de copia es demasiado grande para el almacenamiento.',
  'The archive arrived changed at the store.': 'El archivo de copia llegó cambiado al almacenamiento.',
  'The store refuses it ({}).': 'El almacenamiento lo rechaza ({}).',
  'The store cannot be reached.': 'No se llega al almacenamiento.',
  'The store cannot be reached ({}).': 'No se llega al almacenamiento ({}).',
  'The certificate of the store is not trusted. NODE_EXTRA_CA_CERTS names further authorities.':
    'El certificado del almacenamiento no es de confianza. NODE_EXTRA_CA_CERTS nombra más autoridades de certificación.',
  'The certificate of the store is not trusted ({}). NODE_EXTRA_CA_CERTS names further authorities.':
    'El certificado del almacenamiento no es de confianza ({}). NODE_EXTRA_CA_CERTS nombra más autoridades de certificación.',
  'The connection to the store failed.': 'La conexión con el almacenamiento falló.',
  'The connection to the store failed ({}).': 'La conexión con el almacenamiento falló ({}).',
};
