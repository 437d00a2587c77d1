import type { Translation } from '@passwordbroker/core/texts';
import type { SSO_TEXTS } from '../../identity/sso.ts';

export const SSO: Translation<typeof SSO_TEXTS> = {
  continueWith: (name) => `Continuar con ${name}`,
  leaving: (name) => `Redirigiendo a ${name}`,
  withPassword: 'Iniciar sesión con una contraseña',
  otherWays: 'Otras formas de iniciar sesión',
  opensNothing:
    'El inicio de sesión único dice quién es usted. Su bóveda la abre su contraseña maestra o una de sus llaves de acceso.',
  working: 'Iniciando sesión',
  refused: 'No ha iniciado sesión',
  notLinked: 'Su cuenta no está vinculada',
  back: 'Atrás',
  signInToLink: 'Iniciar sesión y vincular',
  notNow: 'Ahora no',
  question: '¿Vincular la cuenta?',
  questionText: (address, name, user) =>
    address === null
      ? `¿Vincular su inicio de sesión en ${name} con la cuenta de ${user}?`
      : `¿Vincular ${address} en ${name} con la cuenta de ${user}?`,
  questionHint: (name) => `Quien pueda iniciar sesión allí podrá entonces iniciarla también aquí con ${name}.`,
  link: 'Vincular',
  linking: 'Vinculando',
  linked: (name) => `Ya puede iniciar sesión con ${name}`,
  invite: {
    text: (address) => `La invitación vale para ${address}. Inicie sesión con esta dirección.`,
    password: 'Elegir una contraseña en su lugar',
    again: 'Abra de nuevo el enlace de la invitación para volver a intentarlo.',
  },
  confirm: {
    title: 'Inicie primero sesión de nuevo',
    subtitle: 'Inició sesión hace más de diez minutos.',
    text: 'Volverá aquí; su bóveda se bloquea. Empiece entonces de nuevo lo que quería hacer.',
    none: 'Aquí no puede confirmar que es usted. Cierre sesión e iníciela de nuevo.',
    cancel: 'Cancelar',
    failed: 'No ha iniciado sesión de nuevo',
    done: 'Ha iniciado sesión de nuevo. Empiece otra vez lo que quería hacer.',
  },
  required: {
    title: 'Vincule primero su cuenta',
    text: 'En este sitio se inicia sesión con inicio de sesión único. Vincule su cuenta una vez. Su bóveda está como usted la dejó.',
    logOut: 'Cerrar sesión',
  },
  links: {
    title: 'Inicio de sesión único',
    failed: 'No se pudieron cargar sus inicios de sesión vinculados',
    none: 'Sin vincular',
    linkedAs: (address) => `vinculada como ${address}`,
    since: (time) => `desde ${time}`,
    lastUsed: (time) => `usada por última vez ${time}`,
    neverUsed: 'aún sin usar',
    linkNamed: (name) => `Vincular: ${name}`,
    linkHint: 'Para vincular deja esta página, y su bóveda se bloquea. Después vuelve aquí.',
    unlink: 'Desvincular',
    unlinkNamed: (name) => `Desvincular: ${name}`,
    unlinkTitle: (name) => `¿Desvincular ${name}?`,
    unlinkText: (name) =>
      `${name} deja entonces de iniciar su sesión. Las sesiones que empezaron allí terminan, también esta si es una de ellas.`,
    cancel: 'Cancelar',
    unlinking: 'Desvinculando',
    unlinked: (name) => `${name} ya no está vinculado`,
  },
};
