import type { RECOVERY_KIT_TEXTS } from '@passwordbroker/client/texts/recovery-kit';
import type { Translation } from '@passwordbroker/core/texts';
import type { KIT_TEXTS } from '../../identity/recovery-kit.ts';
import type { KIT_BANNER_TEXTS } from '../../identity/recovery-kit-banner.ts';

export const RECOVERY_KIT: Translation<typeof KIT_TEXTS> = {
  title: 'Hoja de emergencia',
  cancel: 'Cancelar',
  back: 'Atrás',
  later: 'Más tarde',
  lock: 'Bloquear la bóveda',
  make: 'Crear una hoja de emergencia',

  intro: 'Una clave en papel que abre su bóveda si olvida la contraseña maestra.',
  introReplace: 'Su hoja de emergencia actual vale hasta que haya confirmado la nueva.',
  introUsed: 'La hoja de emergencia que acaba de usar ya no abre nada. Cree ahora una nueva.',
  introRequired: 'Este sitio exige una a todas las personas. Se tarda dos minutos.',
  masterPassword: 'Contraseña maestra',
  making: 'Creando la hoja de emergencia',

  shownHint: 'Imprímala o cópiela a mano. Solo se muestra ahora.',
  groups: 'Clave de emergencia',
  group: (at, symbols) => `Grupo ${at}: ${symbols}`,
  check: (symbol) => `Carácter de control: ${symbol}`,
  checkLabel: 'Carácter de control',
  qr: 'La clave de emergencia como código QR',
  site: 'Sitio',
  name: 'Nombre',
  email: 'Correo electrónico',
  made: 'Creada el',
  print: 'Imprimir',
  save: 'Guardar como archivo de texto',
  copy: 'Copiar',
  copied: 'Clave de emergencia copiada',
  saved: 'Archivo de texto guardado. No lo conserve en este ordenador.',
  next: 'La tengo en papel',

  askedHint: 'Escriba partes de la clave desde el papel. Así sabrá que se puede leer.',
  typeGroup: (at) => `Escribir el grupo ${at}`,
  typeCheck: 'Escribir el carácter de control',
  wrongGroup: (at) => `El grupo ${at} es otro. Mire su hoja de emergencia.`,
  wrongCheck: 'El carácter de control es otro. Mire su hoja de emergencia.',
  showAgain: 'Mostrar de nuevo',
  confirm: 'Confirmar',
  storing: 'Guardando',
  done: 'Su hoja de emergencia está lista. Guárdela en lugar seguro.',
  madeElsewhere: 'En otro navegador se acaba de crear una hoja de emergencia. Empiece de nuevo.',

  sheet: {
    what: 'Esta clave abre su bóveda si olvida su contraseña maestra. Guárdela como la llave de una caja fuerte: quien la tenga y pueda iniciar sesión en su cuenta abre con ella la bóveda.',
    steps: 'Cómo usarla',
    step1: (site) => `Inicie sesión como siempre en ${site}.`,
    step2: 'Cuando se pida la contraseña maestra, elija «He olvidado mi contraseña maestra».',
    step3:
      'Escriba la clave de emergencia, o escanee el código con un teléfono y pegue el texto. Elija después una nueva contraseña maestra.',
    once: 'Después de usarla o de crear una nueva, esta hoja deja de abrir su bóveda. Destrúyala: sigue abriendo copias de seguridad y copias locales anteriores.',
  },
  fileName: (host) => `hoja-de-emergencia-${host}.txt`,

  forgotTitle: '¿Ha olvidado la contraseña maestra?',
  forgotHint: 'Su hoja de emergencia abre la bóveda. Después elige una nueva contraseña maestra.',
  keyHint: 'Escríbala, o pegue el texto del código QR. En mayúsculas o minúsculas, con o sin guiones.',
  continue: 'Continuar',
  opening: 'Probando la clave',
  noKit:
    'Sin la contraseña maestra o una hoja de emergencia su bóveda no se puede abrir. Un administrador puede restablecer sus claves. Usted conserva su cuenta, pierde lo que solo usted podía abrir, y los administradores de sus grupos pueden añadirle de nuevo.',
  lookingUp: 'Buscando su hoja de emergencia',
  newTitle: 'Elegir una nueva contraseña maestra',
  newHint: 'La clave de emergencia es correcta. Deja de abrir en cuanto se guarda la nueva contraseña maestra.',
  newMaster: 'Nueva contraseña maestra',
  newMasterConfirmation: 'Repita la nueva contraseña maestra',
  submit: 'Guardar y abrir la bóveda',
  saving: 'Guardando',
  steps: {
    checking: 'Comprobando',
    keys: 'Cifrando sus claves con la nueva',
    storing: 'Guardando sus claves',
  },
  recovered: 'Su nueva contraseña maestra está guardada y su bóveda está abierta',
  openedOffline: 'Su copia local está abierta. Pase a en línea para elegir una nueva contraseña maestra.',
  changedElsewhere: 'Sus claves se cambiaron entretanto en otro navegador. Inténtelo de nuevo.',

  sectionHint: 'Abre su bóveda si olvida la contraseña maestra.',
  madeOn: (time) => `Hoja de emergencia creada el ${time}`,
  none: 'Sin hoja de emergencia',
  failed: 'No se pudo consultar su hoja de emergencia.',
  makeNew: 'Crear una nueva',
  remove: 'Eliminar',
  removeTitle: '¿Eliminar la hoja de emergencia?',
  removeText: 'Si después olvida su contraseña maestra, su bóveda no se puede abrir.',
  removeOld:
    'Una hoja de emergencia perdida sigue abriendo copias de seguridad y copias locales anteriores; eliminarla no cambia eso. Si alguien pudiera tener ambas, pida a un administrador que restablezca sus claves.',
  removing: 'Eliminando',
  removeAction: 'eliminar su hoja de emergencia',
  removed: 'Hoja de emergencia eliminada',
  lost: 'Si olvida su contraseña maestra, se pierden estos grupos:',
  lostFailed: 'No se pudieron determinar los grupos que solo usted puede abrir.',
  lostWithKit: 'Si olvida su contraseña maestra y pierde la hoja de emergencia, se pierden estos grupos:',
  addMember: 'Añadir un miembro',
  addMemberTo: (group) => `Añadir un miembro a ${group}`,
};

export const RECOVERY_KIT_BANNER: Translation<typeof KIT_BANNER_TEXTS> = {
  title: 'Nadie puede recuperar su contraseña maestra.',
  why: 'Una hoja de emergencia abre su bóveda si la olvida.',
  make: 'Crear una hoja de emergencia',
  later: 'Más tarde',
  menu: 'Hoja de emergencia',
  forgot: 'He olvidado mi contraseña maestra',
  key: 'Clave de emergencia',
  typo: 'Tiene un error al escribirla',
  remembered: 'Usar la contraseña maestra',
};

export const RECOVERY_KIT_PROBLEM: Translation<typeof RECOVERY_KIT_TEXTS> = {
  notStored:
    'El servidor dijo que había guardado su hoja de emergencia, pero no la devuelve. No se fíe de esta hoja. Dígaselo a quienes gestionan el servidor.',
  recoveryNotStored:
    'El servidor dijo que había guardado su nueva contraseña maestra, pero envía sus claves como eran. Su clave de emergencia aún las abre. Dígaselo a quienes gestionan el servidor.',
  recoveryUncertain:
    'La conexión se perdió antes de que el servidor lo confirmara. O bien su nueva contraseña maestra abre la bóveda, o bien su clave de emergencia aún la abre: pruebe ambas.',
};
