/** The fixed sentences of the contract in Spanish. A sentence without its twin does not compile. */
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
    'El servidor no lo ha entendido. Recargue la página e inténtelo de nuevo.',
  'You are not signed in. Sign in and try again.': 'No ha iniciado sesión. Inicie sesión e inténtelo de nuevo.',
  'Invalid email or password': 'El correo o la contraseña son incorrectos',
  'A second factor is needed': 'Se necesita un segundo factor',
  'The code is not right': 'El código es incorrecto',
  'Your sign-in has expired. Begin again.': 'Su inicio de sesión ha caducado. Empiece de nuevo.',
  'Set up a second factor first': 'Configure primero un segundo factor',
  'This token was made without a second factor. Make a new one.':
    'Este token se creó sin segundo factor. Cree uno nuevo.',
  'This account has no second factor': 'Esta cuenta no tiene segundo factor',
  'You do not have permission to do that': 'No tiene permiso para hacer eso',
  'This site does not allow programs to send a master password.':
    'En este sitio los programas no pueden enviar una contraseña maestra.',
  'The confirmation was not accepted. Try again.': 'La confirmación no se aceptó. Inténtelo de nuevo.',
  'The confirmation came too late. Try again.': 'La confirmación llegó demasiado tarde. Inténtelo de nuevo.',
  'Confirm your password first': 'Confirme primero su contraseña',
  'The setup token is missing or wrong': 'El token de instalación falta o es incorrecto',
  'This was started by another website and was refused. Try again on this page.':
    'Esto venía de otro sitio web y se rechazó. Inténtelo de nuevo en esta página.',
  'Not found': 'No encontrado',
  'The method is not allowed here': 'Este método no está permitido aquí',
  'The id is in use: this was probably saved already. Reload the page.':
    'El identificador ya está en uso: probablemente ya se había guardado. Recargue la página.',
  'It was changed in another place in the meantime. Try again.':
    'Entretanto se cambió en otro lugar. Inténtelo de nuevo.',
  'Offline mode is switched off in this browser or program.':
    'El modo sin conexión está desactivado en este navegador o programa.',
  'The list of members of this group has to be checked first. Ask an admin of the group.':
    'Primero hay que comprobar la lista de miembros de este grupo. Pregunte a un administrador del grupo.',
  'The key of a member has changed. Compare the key words with this person first.':
    'La clave de un miembro ha cambiado. Compare primero las palabras de la clave con esta persona.',
  'Compare the key words with this person first.': 'Compare primero las palabras de la clave con esta persona.',
  'Your trust record is missing on the server. Unlock the vault in a browser that you used before.':
    'Su lista de confianza falta en el servidor. Desbloquee la bóveda en un navegador que ya haya usado.',
  'The content type is not supported': 'Este tipo de contenido no se admite',
  'This is too large for the server.': 'Esto es demasiado grande para el servidor.',
  'CSRF token mismatch.': 'La sesión de esta página está anticuada. Recargue la página.',
  'MasterPassword is invalid': 'La contraseña maestra es incorrecta',
  'The stored value is damaged. Look for an older one in the history.':
    'El valor guardado está dañado. Busque uno anterior en el historial.',
  'Too many attempts. Try again later.': 'Demasiados intentos. Inténtelo de nuevo más tarde.',
  'Something went wrong': 'Algo ha fallado',
  'The server is busy. Try again.': 'El servidor está ocupado. Inténtelo de nuevo.',
  'The disk of the server is full. Ask a site admin to make room.':
    'El disco del servidor está lleno. Pida a un administrador del sitio que haga sitio.',
  'There is no storage left for this. Empty the trash, or ask a site admin for more.':
    'No queda almacenamiento para esto. Vacíe la papelera, o pida más a un administrador del sitio.',

  'MasterPassword is missing': 'Falta la contraseña maestra',
  'Field Value is missing': 'Falta el valor del campo',
  'Field File is missing': 'Falta el archivo del campo',
  'Field Value is not a valid TOTP secret': 'El valor del campo no es un secreto TOTP válido',

  'This person has no keys yet. They have to sign in and unlock the vault once.':
    'Esta persona aún no tiene claves. Debe iniciar sesión y desbloquear la bóveda una vez.',
  'The account of this user is disabled': 'La cuenta de este usuario está desactivada',
  'The user already has this role': 'El usuario ya tiene este rol',
  'This is the last admin of the group. Make someone else an admin first.':
    'Es el último administrador del grupo. Haga primero administrador a otra persona.',
  'Another admin has to change your role': 'Su rol debe cambiarlo otro administrador',
  'You cannot remove yourself': 'No puede quitarse a sí mismo',
  'An admin cannot be removed': 'Un administrador no se puede quitar',

  'Please enter a valid email address.': 'Escriba una dirección de correo válida.',
  'The email is fixed by the invitation': 'La dirección de correo la fija la invitación',
  'The user name is fixed by the invitation': 'El nombre de usuario lo fija la invitación',
  'This invitation is no longer valid': 'Esta invitación ya no es válida',
  'The invitation is not open any more': 'La invitación ya no está abierta',
  'A group is named twice': 'Se nombra un grupo dos veces',
  'You can name only groups where you are an admin': 'Solo puede nombrar grupos donde usted es administrador',

  'Picking time is required': 'Elija una hora',
  'Please select a backup file': 'Elija un archivo de copia de seguridad',
  'The file is not a backup of this product.': 'El archivo no es una copia de seguridad de este producto.',
  'The backup is damaged.': 'La copia de seguridad está dañada.',
  'The backup was made by a newer version.': 'La copia de seguridad es de una versión más nueva.',
  'The backup needs a password or the password is wrong.':
    'La copia necesita una contraseña, o la contraseña es incorrecta.',
  'The backup has no password. Leave the password empty.': 'La copia no tiene contraseña. Deje la contraseña vacía.',
  'The backup is damaged': 'La copia de seguridad está dañada',
  'The file of this backup is no longer on the server': 'El archivo de esta copia ya no está en el servidor',
  'This server already has users, so no backup can be restored here':
    'Este servidor ya tiene usuarios, así que aquí no se puede restaurar una copia',
  'Another recovery is running. Wait until it has finished.': 'Hay otra restauración en marcha. Espere a que termine.',
  'No second target is set (BACKUP_COPY).': 'No hay un segundo lugar configurado (BACKUP_COPY).',

  'User Name is empty': 'Falta el nombre de usuario',
  'This user name is already taken': 'Este nombre de usuario ya está ocupado',
  'Incorrect email': 'La dirección de correo no es válida',
  'This email is already taken': 'Esta dirección de correo ya está ocupada',
  'Password is empty': 'Falta la contraseña',
  'Password Confirmation mismatch to Password': 'La repetición no coincide con la contraseña',
  'Master Password is empty': 'Falta la contraseña maestra',
  'Master Password Confirmation mismatch to Master Password': 'La repetición no coincide con la contraseña maestra',
  'This password is easy to guess. Choose a longer one.': 'Esta contraseña es fácil de adivinar. Elija una más larga.',
};
