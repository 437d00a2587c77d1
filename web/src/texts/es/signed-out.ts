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
  home: 'PasswordBroker, inicio',
  about: 'Para qué sirve esta página',
  loading: 'Abriendo PasswordBroker',
  tryAgain: 'Reintentar',
  logIn: 'Iniciar sesión',
  passkey: 'Iniciar sesión con una llave de acceso',
  loggingIn: 'Iniciando sesión',
  serverUrl: 'Dirección del servidor',
  email: 'Correo electrónico',
  password: 'Contraseña',
  serverUrlMissing: 'Escriba la dirección del servidor',
  emailMissing: 'Escriba la dirección de correo',
  passwordMissing: 'Escriba la contraseña',
  noConnection: (host) => `Sin conexión con ${host}`,
  loginFailed: 'El inicio de sesión ha fallado',
  maybeNotAdmitted:
    'El servidor está desconectado o no acepta inicios de sesión desde aquí. Pregunte a su administrador.',
  needsHttps: 'Esta página necesita HTTPS: sin él los navegadores no permiten cifrado.',
  sideLogin: 'El inicio de sesión abre sus grupos',
  sideLoginText: 'Los valores secretos siguen cifrados hasta que escriba su contraseña maestra.',
  backToGroups: 'Volver a los grupos',
  toggleTheme: 'Cambiar entre claro y oscuro',
  unexpected: '¡Error inesperado de la aplicación!',
  waiting: 'cargando …',
  reload: 'Recargar la página',
  chunkHints: {
    missing:
      'El servidor se ha actualizado desde que se abrió esta página. Recargue la página para obtener la versión nueva.',
    timeout: 'El servidor no envió a tiempo una parte de la página. Recargue la página.',
    error: 'Una parte de la página no llegó. Compruebe la conexión y recargue la página.',
  },
};

export const SIGN_UP: Translation<typeof SIGN_UP_TEXTS> = {
  userName: 'Nombre de usuario',
  passwordConfirmation: 'Repita la contraseña',
  masterPassword: 'Contraseña maestra',
  masterPasswordHint: 'Abre sus secretos. Nadie puede recuperarla por usted.',
  masterPasswordConfirmation: 'Repita la contraseña maestra',
  setupToken: 'Código de instalación',
  setupTokenHint: 'Está en la salida del servidor o en su ajuste SETUP_TOKEN.',
  signUp: 'Registrarse',
  makingKeys: 'Creando sus claves',
  firstUser: 'Crear el primer usuario',
  firstUserHint: 'Esta cuenta será el primer usuario del servidor.',
  fromBackup: 'Restaurar en su lugar este servidor desde una copia de seguridad',
  continueAnyway: 'Continuar a pesar de las advertencias',
  goBack: 'Volver y cambiar',
  checking: 'Comprobando',
  error: (text) => `Error: ${text}`,
  warning: (text) => `Advertencia: ${text}`,
  identicalHint:
    'El servidor ve su contraseña en cada inicio de sesión. Si su contraseña maestra es la misma, el servidor la conoce también.',
  signUpFailed: 'El registro ha fallado',
  sideSignUp: 'Dos contraseñas, dos tareas',
  sidePassword: 'Inicia su sesión en este servidor.',
  sideMasterPassword: 'Se pide cuando muestra, copia o cambia un secreto. Elija una distinta de su contraseña.',
};

export const INVITATION: Translation<typeof INVITATION_TEXTS> = {
  acceptInvite: 'Aceptar la invitación',
  invitedBoth: 'Su nombre y su dirección de correo están en la invitación.',
  invitedEmail: 'Su dirección de correo está en la invitación.',
  openingInvite: 'Abriendo su invitación',
  inviteError: 'ERROR DE INVITACIÓN',
  inviteGone: 'Este enlace quizá ya se usó o ha caducado. Pida uno nuevo a un administrador del sitio.',
  goToLogin: 'Ir al inicio de sesión',
  signedInAlready: (name) =>
    `Tiene la sesión iniciada como ${name}. Ciérrela primero para aceptar esta invitación con una cuenta nueva.`,
  logOutFirst: 'Cerrar sesión y aceptar',
  stayIn: 'Volver a los grupos',
};

export const LOGOUT: Translation<typeof LOGOUT_TEXTS> = {
  loggingOut: 'Cerrando sesión',
  notLoggedOut: 'La sesión no está cerrada',
  stillSignedIn:
    'El servidor no confirmó el cierre de sesión, así que este navegador quizá siga con la sesión iniciada. Inténtelo de nuevo.',
  copyLeft: 'La copia local sigue en este dispositivo',
  copyLeftText:
    'La sesión está cerrada, pero el navegador no eliminó su copia local. Está cifrada; su contraseña maestra la abre.',
  sideCopyLeftText: 'También ha terminado la sesión en el servidor.',
  sideLogout: 'Sus claves se han quitado de esta página',
  sideLogoutText: 'Solo falta que el servidor termine su sesión.',
};

export const RECOVERY: Translation<typeof RECOVERY_TEXTS> = {
  page: 'Restauración',
  file: 'Archivo de copia de seguridad',
  drop: 'Suelte aquí un archivo o',
  choose: 'elija un archivo de copia',
  fileKind: 'pb_backup_….tar.gz, o .tar.gz.age con contraseña',
  replace: 'Sustituir',
  oneFileOnly: 'Solo un archivo de copia a la vez',
  fileMissing: 'Elija un archivo de copia de seguridad',
  fileTooLarge:
    'El archivo es demasiado grande para subirlo aquí. Restáurelo con la orden del servidor: backup restore.',
  password: 'Contraseña del archivo de copia',
  submit: 'Restaurar',
  recovering: 'Restaurando',
  uploading: 'Subiendo. Deje abierta esta pestaña.',
  restoring: 'Restaurando. Deje abierta esta pestaña.',
  failed: 'Algo ha fallado, inténtelo de nuevo',
  done: 'La copia de seguridad se ha restaurado.',
  doneWhat: 'Todas las personas deben iniciar sesión de nuevo, con las contraseñas del momento de la copia.',
  goToLogin: 'Ir al inicio de sesión',
  createInstead: 'Crear en su lugar el primer usuario',
  side: 'Empezar con una copia de seguridad',
  sideText:
    'Elija un archivo de copia para restaurar este servidor. Si el archivo tiene contraseña, escríbala también.',
};

export const SERVER: Translation<typeof SERVER_TEXTS> = {
  kept: 'Sesiones anteriores',
  open: (name, host) => `${name} en ${host}`,
  opening: 'Abriendo',
  forget: (host) => `Olvidar ${host}`,
  failed: 'No se pudo leer la lista de otros servidores en este navegador',
  unreachable: 'El servidor no responde',
  noConnection: (host) => `Sin conexión con ${host}`,
  whatNow: 'Sigue con la sesión iniciada allí. Compruebe la red e inténtelo de nuevo.',
  tryAgain: 'Reintentar',
  trying: 'Probando',
  otherServer: 'Iniciar sesión en otro servidor',
  sideTitle: 'No se ha perdido nada',
  sideText: 'Lo que guardó sigue en el servidor. Sus claves nunca se desbloquearon allí.',
};
