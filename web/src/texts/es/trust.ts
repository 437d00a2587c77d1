import type { Translation } from '@passwordbroker/core/texts';
import type { ROTATION_TEXTS, TRUST_TEXTS } from '../groups/trust.ts';

const groups = (count: number) => `${count} ${count === 1 ? 'grupo' : 'grupos'}`;

export const TRUST: Translation<typeof TRUST_TEXTS> = {
  firstTitle: (name) => `¿Es esta la clave de ${name}?`,
  keyOf: (name) => `Clave de ${name}`,
  compareText: (name) =>
    `Léanse mutuamente las ocho palabras, por teléfono o en la misma sala. ${name} las encuentra en «Las palabras de su clave» del menú del candado. Si ambos ven las mismas palabras en el mismo orden, la clave es correcta.`,
  verifiedText: (name) => `Ha comparado esta clave con ${name}.`,
  changedTitle: (name) => `La clave de ${name} ha cambiado`,
  changedText: (name) =>
    `No se comparte nada con ${name} hasta que haya comparado las palabras de nuevo. Una clave cambia cuando se restablece una cuenta, pero también cuando otra persona se ha apoderado de ella: pregunte a ${name} qué ha ocurrido.`,
  wordsOf: (name) => `Palabras de la clave de ${name}`,
  wordsNow: 'Palabras de ahora',
  wordsBefore: 'Palabras que usted conocía',
  qr: 'Clave como código QR',
  details: 'Detalles',
  fingerprint: 'La clave entera, para especialistas',
  compared: 'Comparada, confirmar',
  forNow: 'Confiar provisionalmente',
  cancel: 'Cancelar',
  close: 'Cerrar',
  keeping: 'Guardando',
  keepFailed: (reason) => `No se pudo guardar la decisión: ${reason}`,
  lookAction: (name) => `consultar la clave de ${name}`,
  renewed: (name) =>
    `${name} tiene una clave nueva. La clave que usted conoce la confirma; no tiene que comparar de nuevo.`,
  renamed: (name, before) => `${name} se llamaba «${before}» cuando vio la clave por última vez.`,

  states: {
    verified: 'confirmada',
    'for now': 'confianza provisional',
    changed: 'clave cambiada',
    unknown: 'aún sin comparar',
    none: 'aún sin claves',
  },
  stateOf: (name, state) => `Clave de ${name}: ${state}`,
  stateHints: {
    verified: 'Clave comparada y confirmada',
    'for now': 'Confianza provisional en la clave. Pulse para comparar',
    changed: 'Clave cambiada. Pulse para comparar de nuevo',
    unknown: 'Clave aún sin comparar. Pulse para comparar',
    none: 'Aún sin claves: no se puede compartir nada',
  },
  ownKey: 'Las palabras de su clave',
  ownKeyText:
    'Quien comparte con usted por primera vez compara con usted estas ocho palabras. No son secretas: ambas partes deben ver las mismas palabras.',
  ownKeyAction: 'mostrar las palabras de su clave',

  lockedTitle: 'Este grupo no se puede abrir aquí',
  locked: {
    roster: 'La lista de miembros de este grupo no está firmada por ninguno de sus administradores.',
    grant: 'El servidor envió una clave incorrecta para este grupo: sus administradores firmaron otra.',
    proof: 'La lista de miembros está firmada por una persona que no tiene la clave de este grupo.',
    'not-member': 'Usted no está en la lista firmada de miembros.',
  },
  lockedHint:
    'En este navegador no puede leer ni cambiar nada aquí. Dígaselo a quienes gestionan el servidor. Si se restauró desde una copia de seguridad, un administrador puede cambiar la clave del grupo.',

  unconfirmedTitle: 'No ha confirmado este grupo',
  unconfirmed: (signer) =>
    `Su lista de miembros está firmada por ${signer}. Puede leer aquí. Antes de que cambie o comparta algo se le preguntará una vez si es correcto.`,
  left: (name, date) => `${name} fue quitado de uno de sus grupos el ${date}.`,
  confirmNow: 'Confirmar ahora',
  samePathTitle: (path) => `Hay dos grupos «${path}»`,
  samePath: (signer, names) =>
    `Usted ya conoce otro grupo con este nombre. Este está firmado por ${signer}. Estas personas pueden leer lo que usted escriba aquí: ${names}.`,
  showReaders: 'Mostrar quién lee aquí',
  noProofTitle: 'Este grupo se debe firmar de nuevo',
  noProof:
    'Puede leer aquí. Podrá escribir de nuevo en cuanto un administrador del grupo lo haya abierto con la versión actual de PasswordBroker.',
  unsignedTitle: 'Los miembros de este grupo no están firmados',
  unsigned:
    'Un programa creó este grupo, y el servidor hizo su clave. Puede leer aquí. Compruebe los miembros y firme la lista: entonces solo estas personas reciben una clave nueva.',
  unsignedForMembers:
    'Un programa creó este grupo, y el servidor hizo su clave. Puede leer aquí. Pida a un administrador del grupo que firme la lista de miembros.',
  signMembers: 'Firmar la lista de miembros',

  readOnlyTitle: 'Este grupo es aquí de solo lectura',
  readOnly: {
    'rolled-back': 'La lista de miembros es más antigua que la que usted aceptó.',
    forked: 'La lista de miembros es distinta de la que usted aceptó.',
    signer: 'La lista de miembros está firmada por una persona que no era administradora del grupo.',
    vanished: 'El servidor ya no muestra la lista firmada de miembros.',
    proof: 'La lista de miembros no está firmada por una persona que tenga la clave de este grupo.',
    record: 'Su lista de confianza falta o quizá esté anticuada. Este navegador no guarda nada hasta que se aclare.',
  },
  forkedBrowsers: 'A sus navegadores se les mostraron listas de miembros distintas.',
  keyOfSigner: (name) => `La lista está firmada con una clave que difiere de la que usted conoce de ${name}.`,
  compareKey: 'Comparar la clave',
  returned: (name, date, signer) =>
    `Usted quitó a ${name} el ${date}. ${signer} ha firmado desde entonces una lista en la que está ${name}.`,
  keepOut: (name) => `Mantener fuera a ${name}`,
  letStay: (name) => `${name} puede quedarse`,
  keepOutAction: (name) => `mantener fuera a ${name}`,
  letStayAction: (name) => `dejar que ${name} se quede`,
  groupRenamed: (group, before) => `«${group}» se llamaba «${before}» cuando abrió el grupo por última vez.`,
  onlyYou: 'Solo usted',
  readersHere: 'Personas que pueden leer aquí',
  people: (count) => `${count} personas`,
  noMoreKeys: (name) => `${name} no recibe claves nuevas.`,
  unlockFirst: (name) =>
    `Desbloquee la bóveda antes de quitar a ${name}: entonces ${name} no recibe ninguna clave nueva, aunque el servidor aún mencione a esta persona.`,
  whatToDo: 'Qué hacer',
  readOnlyHint:
    'Esto ocurre cuando el servidor se restauró desde una copia más antigua, pero también cuando calla un cambio. Pregunte a un administrador del grupo y compare la respuesta con la lista de usuarios.',
  forMembers:
    'Debe decidir un administrador del grupo. Este navegador adopta entonces la decisión por sí solo. Si un administrador está con usted, puede comparar las palabras de la clave y aceptar la lista.',
  compareWithAdmin: 'Comparar con un administrador',

  whyNot: {
    unsigned: 'Los miembros de este grupo no están firmados',
    'no-proof': 'Un administrador debe firmar este grupo de nuevo',
    disputed: 'Este grupo es aquí de solo lectura',
    locked: 'Este grupo no se puede abrir aquí',
  },

  whoShares: (group) => `¿Quién comparte «${group}» con usted?`,
  whoSharesText: (name) =>
    `La lista de miembros está firmada con esta clave. El servidor dice que es de ${name}. Léanse mutuamente las ocho palabras, por teléfono o en la misma sala: ${name} las encuentra en «Las palabras de su clave» del menú del candado.`,
  whoSharesKnown: (name) =>
    `La lista de miembros está firmada con esta clave de ${name}. Léanse de nuevo las ocho palabras, por teléfono o en la misma sala: ${name} las encuentra en «Las palabras de su clave» del menú del candado.`,
  samePathWarning:
    'Usted conoce otro grupo con este nombre. Pregunte a la persona que lo firmó si este es el correcto.',
  readersOf: (names) => `Estas personas pueden leer lo que usted escriba en este grupo: ${names}.`,

  goOn: 'Aceptar esta lista',
  comparedGoOn: 'Comparada, aceptar',
  goOnTitle: '¿Aceptar la lista que muestra el servidor?',
  goOnWhat:
    'Este navegador toma entonces a estas personas como miembros del grupo. Pueden leer lo que usted escriba aquí.',
  goOnSame: 'Tiene las mismas personas, claves y roles que la lista que usted aceptó.',
  added: 'Nuevos en ella:',
  onIt: 'En ella:',
  missing: 'Faltan en ella:',
  otherKey: 'Con otra clave:',
  otherRole: 'Con otro rol:',
  roleBefore: (name, role, before) => `${name}: ${role}, antes ${before}`,
  signedBy: (name) => `Firmada por ${name}.`,
  goOnWithout:
    'El servidor no muestra ninguna lista firmada de miembros. Si acepta esto, el grupo deja de contar como firmado: puede leer aquí, y escribir de nuevo después de que un administrador haya firmado los miembros.',
  goingOn: 'Confirmando',
  goOnFailed: (reason) => `No se pudo confirmar: ${reason}`,

  calledByServer: (name) => `Desconocido para usted; el servidor dice «${name}»`,
  quoted: (name) => `«${name}»`,
  serversNames: (names) => `${names} (los nombres entre comillas vienen del servidor)`,
  somebody: (name) => `una persona que el servidor llama «${name}»`,
  unnamed: (userId) => `una persona que el servidor no nombra (${userId})`,
  you: 'usted',
  knownKeys: {
    own: 'Usted',
    compared: 'comparada',
    'for now': 'confianza provisional',
    other: 'clave cambiada',
    unknown: 'clave desconocida para usted',
  },
  knownPerson: (name, key) => `${name} (${key})`,

  moveBackTitle: (group) => `¿Devolver a «${group}»?`,
  moveBack: (titles, names) => `${titles}: los podrán leer entonces ${names}.`,
  moveBackNew: (names) => `Estas personas no lo pueden leer ahora: ${names}.`,
  moveBackAct: 'Devolver',
  movingBack: 'Moviendo',
  moveBackFailed: (reason) => `No se devolvió: ${reason}`,
  moveBackGone: (group) => `Estas entradas ya no están en «${group}».`,

  differences: {
    'added-unsigned': 'no la firmó ningún administrador, así que esta persona no recibe claves',
    removed: 'quitado; el grupo necesita una clave nueva',
    role: (signed) => `firmado como ${signed}`,
    key: 'la clave difiere de la firmada',
  },
  gone: (count) =>
    `${count === 1 ? 'Un antiguo miembro quitado' : `${count} antiguos miembros quitados`}; el grupo necesita una clave nueva`,
};

const behind = (skipped: number) =>
  skipped === 0
    ? ''
    : `. ${skipped} ${skipped === 1 ? 'valor anterior no se pudo abrir y se dejó' : 'valores anteriores no se pudieron abrir y se dejaron'} sin cambiar`;

export const ROTATION: Translation<typeof ROTATION_TEXTS> = {
  keptUp: (count) => `Claves de ${groups(count)} cambiadas, porque alguien se fue`,
  notKeptUp: (count) => `Las claves de ${groups(count)} no se pudieron cambiar del todo: abra su pestaña «Usuarios»`,
  dueTitle: 'La clave de este grupo se debe cambiar',
  due: 'Alguien se fue. Hasta que se cambie la clave, las claves de esta persona podrían abrir aún lo que se guarde aquí.',
  honest:
    'Una clave nueva protege lo que se guarde desde ahora. La persona quizá conservó lo que leyó: cambie esos valores.',
  start: 'Cambiar la clave ahora',
  running: 'Cambiando la clave',
  runningTitle: 'La clave de este grupo se está cambiando',
  keepOpen:
    'Los valores nuevos ya están protegidos. Si cierra esta página, cualquier administrador puede terminar el resto más tarde.',
  stop: 'Parar',
  failedTitle: 'La clave de este grupo no se cambió del todo',
  failed: (reason) => `${reason} La parte hecha queda.`,
  failedHere: 'Continúa en el próximo desbloqueo, o ahora si pulsa «Continuar». La parte hecha queda.',
  retry: 'Continuar',
  action: (group) => `cambiar la clave de «${group}»`,
  done: (group, skipped) => `Clave de «${group}» cambiada${behind(skipped)}`,
  waitForAdmin: 'Debe hacerlo un administrador de este grupo.',
  unsure: 'Las claves de estos miembros han cambiado. Compare primero las claves, o quite al miembro.',
  compare: 'Comparar la clave',
  convert: 'Firmar la lista de miembros',
  confirming: 'Confirmando',
  member: (name, role) => `${name}, ${role}`,
};
