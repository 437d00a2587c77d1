import type { Translation } from '@passwordbroker/core/texts';
import * as client from '@passwordbroker/client/texts/es/client';
import { cataloguesOf } from '@passwordbroker/client/texts/translations';
import * as ui from '@passwordbroker/ui/languages/es';
import { type EXTENSION_TEXTS, oneOf } from './extension.ts';

export { spanishSentence as sentence } from '@passwordbroker/client/texts/es/messages/spanish-sentence';

const EXTENSION: Translation<typeof EXTENSION_TEXTS> = {
  loading: 'Abriendo PasswordBroker',
  again: 'Intentar de nuevo',
  back: 'Atrás',
  cancel: 'Cancelar',

  welcome: 'Conectar con su servidor',
  address: 'Dirección de su servidor',
  addressHint: 'Por ejemplo https://boveda.example.org',
  connect: 'Conectar',
  notAllowed: (host) => `Sin ese permiso, la extensión no puede acceder a ${host}.`,
  noAddress: 'Eso no es una dirección.',
  onlyHttps: 'Solo se pueden usar direcciones https.',
  noServer: 'No hay ningún PasswordBroker en esta dirección.',
  notPaired: 'Conecte primero con su servidor.',
  unreachable: 'No se puede acceder al servidor.',
  unreachableText: 'Revise su conexión o pregunte a las personas que gestionan el servidor.',
  tooOld: 'Esta extensión es demasiado antigua para el servidor. Actualícela.',
  otherServer: 'Usar otro servidor',

  signIn: 'Iniciar sesión',
  email: 'Correo electrónico',
  accountPassword: 'Contraseña de la cuenta',
  signInHint: (providers) =>
    `Con ${oneOf('es', ['una llave de acceso', 'una llave de seguridad'], providers, 'un proveedor de identidad')}:`,
  browserSignIn: 'Iniciar sesión en el navegador',
  browserText: (shown) =>
    `La página de su servidor debe mostrar ${shown}. Permita allí la extensión y escriba aquí el código de la página.`,
  browserCode: 'Código de la página',
  browserAgain: 'Abrir la página de nuevo',
  ownName: 'Extensión PasswordBroker',
  factorTitle: 'Un paso más',
  factorCode: 'Código de su aplicación de autenticación',
  recoveryCode: 'Código de recuperación',
  useRecovery: 'Usar un código de recuperación',
  useCode: 'Usar la aplicación de autenticación',
  prove: 'Continuar',
  noFactor: 'Su cuenta inicia sesión con una llave de seguridad. La página de su servidor puede pedirla.',
  restricted: 'Primero hay que configurar su cuenta. Abra la aplicación web, siga los pasos e inténtelo de nuevo.',

  locked: 'Bóveda bloqueada',
  lockedMeanwhile: 'La bóveda se bloqueó entretanto. No se rellenó nada.',
  masterPassword: 'Contraseña maestra',
  unlock: 'Desbloquear',
  lock: 'Bloquear',
  logOut: 'Cerrar sesión',
  settings: 'Ajustes',
  words: 'Compare estas ocho palabras con las que aparecen bajo su nombre en la aplicación web',
  wordsText:
    'Si son distintas, este servidor le muestra otra clave que no es la suya. No siga, y avise a las personas que lo gestionan.',
  wordsSame: 'Son iguales',

  usePasskey: 'Usar una llave de acceso',
  passkeyTitle: 'Desbloquear con una llave de acceso',
  passkeyText: 'Su navegador pide la llave de acceso en su propia ventana. Después se cierra esta página.',
  passkeySignedOut: 'No ha iniciado sesión. Abra la extensión para iniciarla.',
  passkeyWaiting: 'Esperando su llave de acceso',
  passkeyNone: (host) =>
    `Ninguna llave de acceso abre su bóveda en ${host}. Añada una en la página de la cuenta de la aplicación web, o use su contraseña maestra.`,
  passkeyUnused:
    'No se usó ninguna llave de acceso. Inténtelo de nuevo, o cierre esta página y use su contraseña maestra.',
  passkeyNoSecret: 'Este navegador no puede abrir la bóveda con esa llave de acceso. Use su contraseña maestra.',
  passkeyOff: (host) =>
    `Este navegador no deja que las extensiones usen llaves de acceso de ${host}. Chromium lo permite desde la versión 122, Firefox desde la versión 150. Use su contraseña maestra.`,
  passkeyFailed: 'La llave de acceso no funcionó. Inténtelo de nuevo, o use otra.',

  search: 'Buscar',
  found: 'Resultados',
  nothingFound: 'No se encontró nada',
  sameDomain: 'Mismo dominio, otro host',
  noMatch: (host) => `No hay nada guardado para ${host}.`,
  closedGroups: (count) =>
    count === 1
      ? 'Un grupo no se puede abrir, por eso faltan aquí sus entradas. Mírelo en el cliente web.'
      : `${count} grupos no se pueden abrir, por eso faltan aquí sus entradas. Mírelos en el cliente web.`,
  noPage: 'En esta página no se puede rellenar nada.',
  httpsOnly: (title) => `Esta página no está cifrada; ${title} está guardado para https.`,
  fill: (title) => `Rellenar ${title}`,
  use: (title) => `Usar ${title} aquí`,
  copyLogin: (title) => `Copiar el nombre de usuario de ${title}`,
  copyPassword: (title) => `Copiar la contraseña de ${title}`,
  copyCode: (title) => `Copiar el código de ${title}`,
  copied: (seconds) => `Copiado. Se borra en ${seconds} segundos.`,
  noPassword: 'Esta entrada no tiene contraseña.',
  noCode: 'Esta entrada no tiene código de un solo uso.',

  filled: 'Rellenado',
  changed: 'La página ha cambiado. No se rellenó nada.',
  unreadable: 'El navegador no deja que las extensiones lean esta página.',
  noForm: 'En esta página no hay ningún formulario de inicio de sesión.',
  noValue: 'Esta entrada no tiene nada que encaje en el formulario.',
  frame: (origin) =>
    `El formulario de inicio de sesión está en un marco de ${origin}. Ábralo en su propia pestaña, o copie.`,
  plainAction: 'El formulario enviaría la contraseña sin cifrar.',
  otherAction: (host) => `El formulario envía a ${host}.`,
  plainHttp: 'Esta página no está cifrada. Cualquiera en el camino puede leer la contraseña.',
  otherHost: 'Esta entrada no está guardada para este host. Compare las direcciones antes de rellenar.',
  keptFor: 'Guardado para',
  thisPage: 'Esta página',
  fillAnyway: 'Rellenar de todos modos',
  fillOnce: 'Rellenar una vez',
  always: (host) => `Siempre en ${host}`,
  filledPartly: 'La página reemplazó un campo entretanto. Solo se rellenó una parte: haga clic de nuevo en la entrada.',
  codeNotCopied: 'Rellenado. No se pudo copiar el código.',
  whichForm: '¿Cuál?',
  restarted: 'La extensión se ha reiniciado. Inténtelo de nuevo.',

  save: 'Guardar',
  savePage: 'Guardar desde esta página',
  saveTitle: 'Guardar este inicio de sesión',
  title: 'Título',
  group: 'Grupo',
  userName: 'Nombre de usuario',
  password: 'Contraseña',
  generate: 'Generar',
  generatorSettings: 'Longitud y caracteres',
  length: 'Longitud',
  characters: 'Caracteres',
  fillNew: 'Rellenar las dos contraseñas nuevas',
  saved: (title) => `${title} está guardado.`,
  update: (title) => `Actualizar ${title}`,
  updated: (title) => `${title} está actualizado.`,
  changedMeanwhile: 'La entrada cambió entretanto. Véala primero en la aplicación web.',
  passwordMissing: 'Falta la contraseña.',
  offer: (host) => `¿Guardar el inicio de sesión que acaba de usar en ${host}?`,
  notNow: 'Ahora no',
  never: (host) => `Nunca en ${host}`,
  offerStart: 'Ofrecer guardar en este sitio',
  offerStop: 'No ofrecer más guardar aquí',
  offerStarted: (host) =>
    `Se ofrece guardar los inicios de sesión que use en ${host} desde la próxima carga de una página.`,
  noGroups: 'No puede escribir en ningún grupo. Pregunte a un administrador, o cree uno en la aplicación web.',
  formNumber: (number) => `Formulario ${number}`,

  lockAfter: 'Bloquear tras minutos sin uso',
  copyCodes: 'Copiar el código después de rellenar',
  copyCodesHint: 'Para sitios que piden un código de un solo uso en el paso siguiente. Queda registrado como apertura.',
  offerOnAll: 'Ofrecer guardar en todos los sitios',
  offerOnAllHint:
    'El navegador pide permiso para leer todas las páginas https. De los inicios de sesión que usa, el último de cada pestaña se guarda dos minutos en memoria, y nada más.',
  language: 'El idioma es el del navegador.',
  pairedWith: 'Servidor',
  person: 'Sesión iniciada como',
  version: 'Versión',
  clipboardNote:
    'Un valor copiado se borra después de un minuto. Los programas que guardan un historial del portapapeles pueden conservarlo.',
};

export const TEXTS = cataloguesOf([client, ui, { EXTENSION }]);
