import type { Translation } from '@passwordbroker/core/texts';
import type { ENROL_TEXTS, FACTOR_TEXTS, FACTORS_TEXTS, GRACE_TEXTS, HOW_TEXTS } from '../../identity/factors.ts';

export const FACTOR: Translation<typeof FACTOR_TEXTS> = {
  title: 'Confirme que es usted',
  totpHint: 'Escriba las seis cifras de su aplicación de autenticación.',
  code: 'Código',
  useTotp: 'Usar la aplicación de autenticación',
  useKey: 'Usar una llave de seguridad o llave de acceso',
  keyHint: 'Pulse el botón y siga después a su navegador: toque la llave, o confirme en el teléfono u ordenador.',
  waitingForKey: 'Esperando su llave de acceso',
  keyGone: 'Ninguna de sus llaves de seguridad vale ya aquí. Use otro medio.',
  keysMoved: (hosts) =>
    `Sus llaves de acceso son de ${hosts}. Use su aplicación de autenticación o un código de recuperación.`,
  keysAtHome: (host) =>
    `Sus llaves de acceso son de ${host}. Inicie sesión directamente en ${host}, o use un código de recuperación.`,
  useRecovery: 'Usar un código de recuperación',
  choose: '¿Cómo quiere confirmarlo?',
  anotherWay: 'Otro medio',
  remember: (days) => `No preguntar en este navegador durante ${days === 1 ? 'un día' : `${days} días`}`,
  confirm: 'Confirmar',
  confirming: 'Confirmando',
  recoveryCode: 'Código de recuperación',
  recoveryHint: (left) => `Solo vale una vez. ${left === 1 ? 'Queda uno' : `Quedan ${left}`}.`,
  lost: '¿Lo ha perdido todo? Un administrador puede darle un código.',
  back: 'Atrás',
  missing: 'Escriba el código.',
  side: 'Dos pasos mantienen fuera a los demás',
  sideText: 'Quien averigüe su contraseña necesita aún su teléfono, su llave de seguridad o uno de sus códigos.',
};

export const ENROL: Translation<typeof ENROL_TEXTS> = {
  title: 'Configurar un segundo factor',
  intro: 'Este sitio exige uno. Se tarda un minuto. Su bóveda está como usted la dejó.',
  key: 'Llave de seguridad o llave de acceso',
  keyHint:
    'Recomendado: una llave USB o NFC, o una llave de acceso en un teléfono u ordenador. Se toca o se desbloquea al iniciar sesión.',
  keyText: 'Dele un nombre. Su navegador le pide después que toque la llave o cree una llave de acceso.',
  addKey: 'Añadir',
  waitingForKey: 'Esperando su llave de acceso',
  anotherWay: 'Otro medio',
  app: 'Aplicación de autenticación',
  appHint: 'Una aplicación de su teléfono muestra un código de seis cifras. Se escribe al iniciar sesión.',
  logOut: 'Cerrar sesión',
  againText:
    'Su segundo factor está configurado. Los códigos que se veían antes de recargar esta página no se pueden mostrar de nuevo.',
  skip: 'He guardado los antiguos en lugar seguro',
  side: 'Su bóveda está como usted la dejó',
  sideText: 'El segundo factor se pide al iniciar sesión. No abre sus secretos.',
};

export const GRACE: Translation<typeof GRACE_TEXTS> = {
  due: (date) => `Configure un segundo factor antes del ${date}.`,
  after: 'Después tendrá que hacerlo antes de poder continuar.',
  setUp: 'Configurar ahora',
  fewCodes: (left) =>
    left === 0
      ? 'Ya no tiene códigos de recuperación.'
      : `Le ${left === 1 ? 'queda un código de recuperación' : `quedan ${left} códigos de recuperación`}.`,
  makeNew: 'Crear códigos nuevos',
  recently: 'Recientemente en su cuenta:',
  byAdmin: 'por un administrador',
  more: (count) => `y ${count} más`,
  notMe: 'Si no lo esperaba, dígaselo a un administrador.',
  wasMe: 'Estoy al corriente',
};

export const FACTORS: Translation<typeof FACTORS_TEXTS> = {
  title: 'Inicio de sesión',
  secondFactor: 'Segundo factor',
  hint: 'Se pide al iniciar sesión. No abre sus secretos.',
  failed: 'No se pudieron cargar sus segundos factores',
  required: 'Su sitio exige un segundo factor.',
  off: 'Los segundos factores están desactivados en este sitio.',
  elsewhere: (host) => `Para verlos y cambiarlos, inicie sesión directamente en ${host}.`,
  app: 'Aplicación de autenticación',
  appNone: 'Sin configurar',
  added: (time) => `Añadida ${time}`,
  lastUsed: (time) => `usada por última vez ${time}`,
  neverUsed: 'aún sin usar',
  setUp: 'Configurar',
  replace: 'Sustituir',
  remove: 'Eliminar',
  cancel: 'Cancelar',
  done: 'Listo',

  totp: {
    dialog: 'Configurar la aplicación de autenticación',
    scan: 'Escanee esto con su aplicación, o escriba la clave',
    qr: 'Código QR para la aplicación de autenticación',
    cannotScan: '¿No puede escanear?',
    copyKey: 'Copiar la clave',
    keyKind: 'Basado en el tiempo, seis cifras.',
    code: 'Código de la aplicación',
    codeMissing: 'Escriba el código.',
    revokeTokens: (count) => (count === 1 ? 'Revocar también mi token' : `Revocar también mis ${count} tokens`),
    revokeHint: 'Se crearon solo con la contraseña.',
    replaces: 'La aplicación actual funciona hasta que confirme la nueva.',
    expired: 'Ha tardado demasiado. Escanee el código nuevo.',
    starting: 'Creando una clave',
    confirm: 'Confirmar',
    confirming: 'Confirmando',
    done: 'Aplicación de autenticación configurada',
  },
  keys: {
    title: 'Llave de seguridad o llave de acceso',
    kinds: 'Una llave USB o NFC, o una llave de acceso en un teléfono u ordenador',
    needsHost: 'Necesita un sitio con nombre de servidor y HTTPS',
    count: (count) => (count === 1 ? 'Una añadida' : `${count} añadidas`),
    one: 'Llaves de seguridad',
    addAnother: 'Añadir otra',
    nameHint: 'Para reconocerla después, por ejemplo «Llave azul» o «Teléfono».',
    dialog: {
      title: 'Añadir una llave de seguridad o llave de acceso',
      hint: 'Al iniciar sesión se usa después de su contraseña. Pulse Añadir: su navegador le pide después que toque la llave o cree una llave de acceso.',
      submit: 'Añadir',
    },
    added: 'Llave de seguridad añadida',
    removeTitle: (name) => `¿Eliminar «${name}»?`,
    removed: 'Llave de seguridad eliminada',
  },
  removal: {
    title: '¿Eliminar la aplicación de autenticación?',
    text: 'Sus otros segundos factores y sus códigos de recuperación quedan. Sus demás sesiones terminan.',
    textLast:
      'Al iniciar sesión se pedirá entonces solo su contraseña. Sus códigos de recuperación dejan de valer, y sus demás sesiones terminan.',
    removing: 'Eliminando',
    done: 'Aplicación de autenticación eliminada',
  },

  codes: {
    title: 'Códigos de recuperación',
    left: (left) => `Quedan ${left} de 10`,
    made: (time) => `creados ${time}`,
    makeNew: 'Crear códigos nuevos',
    making: 'Creando códigos',
    makeTitle: '¿Crear códigos de recuperación nuevos?',
    makeText: 'Los antiguos dejan entonces de valer.',
    check: 'Comprobar un código',
    checkText: 'La comprobación no gasta el código.',
    checking: 'Comprobando',
    code: 'Código de recuperación',
    missing: 'Escriba el código.',
    good: 'Este código vale',
    notGood: 'Este código no vale',
    restored:
      'Este sitio se restauró desde una copia de seguridad. Los códigos usados desde entonces valen de nuevo: cree otros.',
    shown: 'Sus códigos de recuperación',
    shownText:
      'Use uno cuando no tenga otro factor. Cada uno vale una vez. Guárdelos en lugar seguro: con su contraseña, cualquiera puede iniciar sesión con uno. Solo se muestran ahora.',
    copy: 'Copiar',
    copied: 'Códigos de recuperación copiados',
    save: 'Guardar como archivo',
    print: 'Imprimir',
    kept: 'Los he guardado en lugar seguro',
    file: (host, email) => [
      `Códigos de recuperación de ${email}`,
      `para PasswordBroker en ${host}`,
      'Cada uno vale una vez, junto con la contraseña de la cuenta.',
    ],
  },

  remembered: {
    title: 'Navegadores recordados',
    hint: 'En ellos no se pide un segundo factor.',
    none: 'Ninguno',
    current: 'este navegador',
    unknown: 'Navegador desconocido',
    at: (address) => `desde ${address}`,
    lastUsed: (time) => `usado por última vez ${time}`,
    until: (time) => `hasta ${time}`,
    forget: 'Quitar',
    forgetNamed: (what) => `Quitar ${what} de los navegadores recordados`,
    forgetting: 'Quitando',
    forgotten: 'En este navegador se vuelve a pedir un segundo factor',
    forgetAll: 'Quitar todos',
    forgotAll: (count) => (count === 1 ? 'Un navegador quitado' : `${count} navegadores quitados`),
  },
};

const METHODS = {
  password: 'Contraseña',
  passkey: 'Llave de acceso',
  'sign-up': 'Registro',
  invite: 'Invitación',
  sso: 'Inicio de sesión único',
} as const;
const BESIDE = {
  totp: 'aplicación de autenticación',
  recovery: 'código de recuperación',
  passkey: 'llave de seguridad',
  remembered: 'navegador recordado',
  sso: 'segundo factor allí',
} as const;

export const HOW: Translation<typeof HOW_TEXTS> = {
  begun: (method, factor) =>
    factor === null || factor === method ? METHODS[method] : `${METHODS[method]} y ${BESIDE[factor]}`,
  withoutFactor: 'creado sin segundo factor',
};
