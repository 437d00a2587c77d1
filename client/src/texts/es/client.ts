import type { COPY_TEXTS } from '../clipboard.ts';
import type { CONNECTION_TEXTS, SESSION_TEXTS } from '../connection.ts';
import type { KEYRING_TEXTS, TRUST_PROBLEM_TEXTS } from '../keyring.ts';
import type { MASTER_PASSWORD_TEXTS } from '../master-password.ts';
import type { NEW_KEYS_TEXTS } from '../new-keys.ts';
import type { OFFLINE_COPY_TEXTS } from '../offline-copy.ts';
import type { Translation } from '@passwordbroker/core/texts';

export const CONNECTION: Translation<typeof CONNECTION_TEXTS> = {
  badAnswer: 'El servidor envió una respuesta no válida',
  offline: 'No disponible sin conexión',
  silent: (seconds) => `El servidor no respondió en ${seconds} segundos`,
};

export const COPY: Translation<typeof COPY_TEXTS> = {
  notCopied:
    'No se copió nada: el navegador no deja a esta página escribir en el portapapeles. Permítalo para esta página, o muestre el texto, selecciónelo y cópielo usted.',
};

export const SESSION: Translation<typeof SESSION_TEXTS> = {
  copyLeft: 'No se pudo eliminar la copia local',
};

export const KEYRING: Translation<typeof KEYRING_TEXTS> = {
  locked: 'La bóveda está bloqueada',
  wrong_master_password: 'La contraseña maestra es incorrecta',
  other_person: 'Otra persona ha iniciado sesión en este navegador',
  unusable_master_password: 'La contraseña maestra está vacía, es demasiado larga o contiene un carácter imposible',
  ill_formed_text: 'El texto contiene un carácter que no se puede guardar. Escríbalo de nuevo.',
  key_mismatch:
    'La clave de este grupo no es la correcta, por eso sigue cerrado aquí. Pregunte a un administrador del grupo.',
  integrity: 'El valor guardado está dañado',
  offline_copy: 'La copia local no se puede usar',
  import_file: 'No se pudo leer el archivo',
  cancelled: 'Cancelado',
  crashed: 'La bóveda se bloqueó porque su proceso en segundo plano terminó',
  internal: 'Algo ha fallado',
};

export const TRUST_PROBLEM: Translation<typeof TRUST_PROBLEM_TEXTS> = {
  read_only:
    'Este navegador no puede aceptar esta lista de miembros. En este grupo no se puede cambiar nada hasta que la lista esté confirmada.',
  not_admin: 'Solo un administrador del grupo puede aceptar otra lista de miembros',
  other_list: 'La lista de miembros del servidor ha cambiado. Compruébela de nuevo.',
  never_without:
    'Falta la lista firmada de miembros. Este grupo siempre tuvo una; sin ella nada en el grupo es de fiar.',
  rotation_unfinished: 'La clave de este grupo aún se está cambiando. Termine eso primero.',
  key_unconfirmed: 'La clave de esta persona no está confirmada: compare primero las palabras',
  key_changed: 'La clave de esta persona ha cambiado: compare primero las palabras',
  members_unsure: 'La clave de un miembro ha cambiado: compare las palabras o quite al miembro',
  members_unconfirmed: 'Los miembros de este grupo no están firmados: confírmelos primero',
  group_unconfirmed: 'Confirme primero quién comparte este grupo con usted',
  group_unsigned: 'Los miembros de este grupo no están firmados: firme primero la lista de miembros',
  must_compare: 'Compare primero las palabras de la clave con esta persona. Antes no puede compartir aquí.',
  not_to_go_on:
    'Esta lista de miembros no es de fiar, así que no se puede aceptar. Dígaselo a quienes gestionan el servidor.',
  unasked:
    'Este navegador ve los miembros de este grupo por primera vez. Compruébelos y cambie después la clave usted.',
  record:
    'Su lista de confianza falta o está anticuada, así que no se puede guardar nada. El mensaje de arriba dice qué hacer.',
  favourites_full: 'Tiene 500 favoritos, no caben más. Quite primero uno.',
  searches_full: 'Tiene 50 búsquedas guardadas, no caben más. Elimine primero una.',
  other_passkey:
    'La llave de acceso respondió de otra forma que al añadirla. Use su contraseña maestra y añada después la llave de acceso de nuevo.',
  wrong_recovery_key: 'Esa no es la clave de emergencia de esta cuenta',
  no_recovery_kit: 'Esta cuenta no tiene hoja de emergencia',
  last_use: 'Responda primero a la pregunta de cuándo usó su cuenta por última vez',
};

export const MASTER_PASSWORD: Translation<typeof MASTER_PASSWORD_TEXTS> = {
  tooltips: {
    'not entered': 'Contraseña maestra no escrita',
    'in-entry': 'Contraseña maestra no escrita',
    entered: 'Contraseña maestra escrita',
    validated: 'Contraseña maestra comprobada',
    incorrect: 'Contraseña maestra incorrecta',
  },
  invalid: 'La contraseña maestra es incorrecta',
  missing: 'Falta la contraseña maestra',
  title: 'Contraseña maestra',
  label: 'Contraseña maestra',
  neededTo: (action) => `Necesaria para ${action}.`,
  neededLater: 'Abre sus secretos en este dispositivo.',
  hint: 'Se recuerda durante esta sesión y se borra al cerrarla.',
  hintAfterRefusal:
    'No es la contraseña de inicio de sesión. Compruebe el bloqueo de mayúsculas y la distribución del teclado.',
  cancel: 'Cancelar',
  remember: 'Recordar',
  unlocking: 'Desbloqueando',
  usePasskey: 'Usar una llave de acceso',
  waitingForPasskey: 'Esperando su llave de acceso',
  passkeyNotStored:
    'El servidor dijo que había guardado esto, pero no lo envía. La llave de acceso no abre su bóveda. Dígaselo a quienes gestionan el servidor.',
  locked: 'Bóveda bloqueada',
  menu: 'Menú de la contraseña maestra',
  lockNow: 'Bloquear ahora',
  changeMaster: 'Cambiar la contraseña maestra',
  ownKey: 'Las palabras de su clave',
  compareBrowsers: 'Comparar navegadores',
  habits: (minutes) =>
    `Se bloquea tras ${minutes === 1 ? 'un minuto' : `${minutes} minutos`} sin actividad. Un secreto copiado se quita del portapapeles en un minuto; pero los programas que guardan un historial del portapapeles aún pueden tenerlo.`,
  change: {
    title: 'Cambiar la contraseña maestra',
    subtitle: 'Sus claves se cifran con la nueva contraseña maestra. Sus secretos quedan como están.',
    old: 'Contraseña maestra antigua',
    next: 'Nueva contraseña maestra',
    confirmation: 'Repita la nueva contraseña maestra',
    hint: 'Nadie puede recuperarla por usted. Las copias de seguridad antiguas se siguen abriendo con la antigua.',
    submit: 'Cambiar',
    changing: 'Cambiando',
    continueAnyway: 'Continuar a pesar de las advertencias',
    goBack: 'Volver y cambiar',
    steps: {
      checking: 'Comprobando',
      trying: 'Probando la contraseña maestra antigua',
      locking: 'Cifrando sus claves con la nueva',
      storing: 'Guardando sus claves',
    },
    error: (text) => `Error: ${text}`,
    warning: (text) => `Advertencia: ${text}`,
    unusable: {
      empty: 'La contraseña maestra está vacía',
      long: 'La contraseña maestra es demasiado larga',
      broken: 'La contraseña maestra contiene un carácter imposible',
    },
    mismatch: 'La repetición no coincide con la contraseña maestra',
    weak: 'La contraseña maestra es fácil de adivinar',
    unchanged: 'La contraseña maestra es igual que la antigua',
    changed: 'Contraseña maestra cambiada',
    changedElsewhere:
      'La contraseña maestra se acaba de cambiar en otro dispositivo. Inténtelo de nuevo con esa como contraseña maestra antigua.',
    lockedMeanwhile: 'La bóveda se bloqueó antes de terminar. Inténtelo de nuevo.',
    damaged: 'Sus claves guardadas están dañadas. La contraseña maestra no se ha cambiado.',
    uncertain:
      'La conexión se cortó antes de que el servidor confirmara el cambio. Sus claves se abren con la contraseña maestra antigua o con la nueva: pruebe ambas.',
    notStored:
      'El servidor dice que guardó el cambio, pero sigue enviando las claves antiguas. Su contraseña maestra antigua aún las abre. Dígaselo a quienes gestionan el servidor.',
    failed: 'La contraseña maestra no se ha cambiado',
  },
};

export const NEW_KEYS: Translation<typeof NEW_KEYS_TEXTS> = {
  title: 'Elija su propia contraseña maestra',
  rekey:
    'La persona que creó su cuenta eligió la actual. Cuando elija una nueva, este navegador crea claves nuevas que nadie más puede abrir.',
  first:
    'Sus claves se crean en este navegador, y nadie más puede abrirlas. Si se restablecieron las antiguas, pida a los administradores de sus grupos que le añadan de nuevo.',
  next: 'Nueva contraseña maestra',
  confirmation: 'Repita la nueva contraseña maestra',
  hint: 'Nadie puede recuperarla por usted.',
  submit: 'Crear mis claves',
  making: 'Creando sus claves',
  later: 'Bloquear la bóveda',
  done: 'Sus claves nuevas están listas',
  lost: 'La conexión se cortó antes de que el servidor lo confirmara. Recargue la página y pruebe la contraseña maestra antigua y la nueva: una de ellas abre sus claves.',
  notStored:
    'El servidor dice que guardó sus claves nuevas, pero envía otras. Sus claves antiguas siguen valiendo y no se eliminó nada. Dígaselo a quienes gestionan el servidor.',
  steps: {
    checking: 'Comprobando',
    grants: 'Reuniendo las claves de sus grupos',
    keys: 'Creando sus claves',
    storing: 'Guardándolas cifradas',
    opening: 'Abriéndolas',
  },
};

export const OFFLINE_COPY: Translation<typeof OFFLINE_COPY_TEXTS> = {
  unusable: (reason) => `La copia local no se puede usar: ${reason}`,
  refusals: {
    answer: CONNECTION.badAnswer,
    older: 'La respuesta del servidor es más antigua que la copia de este dispositivo',
    full: 'Este navegador no tiene sitio para la copia',
  },
  notYourKeys: 'El servidor envió claves que no son suyas',
  saltOfOtherKeys: 'El servidor envió datos que no corresponden a sus claves',
  keyUnusable: 'sus claves faltan o están dañadas',
  expired: 'no se actualizó durante 30 días',
  clockBehind:
    'el reloj de este dispositivo va atrasado: muestra una hora anterior a la última actualización. Ponga el reloj en hora e inténtelo de nuevo.',
  noHistory: 'La copia local solo contiene los valores actuales. Pase a en línea para ver los anteriores.',
  notInCopy: 'Eso no está en la copia local. Pase a en línea para verlo.',
  noBody: 'Este archivo no está en la copia local: es demasiado grande para ella o aún no se ha descargado.',
};
