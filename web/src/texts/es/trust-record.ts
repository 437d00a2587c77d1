import type { Translation } from '@passwordbroker/core/texts';
import type { TRUST_RECORD_TEXTS } from '../groups/trust-record.ts';

export const TRUST_RECORD: Translation<typeof TRUST_RECORD_TEXTS> = {
  title: 'Lista de confianza',
  hint: 'Contiene las personas cuyas claves ha confirmado y los miembros que ha aceptado en sus grupos. Solo sus claves la abren.',
  locked: 'Desbloquee la bóveda para verla.',
  states: {
    sound: (n, time) => `Lista ${n}, cambiada por última vez ${time}.`,
    behind: (n) =>
      `El servidor tiene una lista más antigua que este navegador. Este navegador conserva la lista ${n} y la envía de nuevo al servidor.`,
  },
  browsers: 'Navegadores que han usado su cuenta',
  browsersHint: 'Los últimos veinte. Fíjese en alguno que no sea suyo.',
  thisBrowser: 'este navegador',
  lastUsed: (time) => `usado por última vez ${time}`,
  firstUsed: (time) => `desde ${time}`,
  unknownBrowser: 'Navegador desconocido',

  missingTitle: 'Falta su lista de confianza',
  missing:
    'Contiene las personas cuyas claves ha confirmado. El servidor debería tenerla, pero no la muestra. Puede leer, pero este navegador no guarda cambios.',
  missingAdvice:
    'Desbloquee la bóveda en otro navegador donde haya usado esta cuenta: él restablece la lista. Si no hay ninguno, puede empezar una lista nueva.',
  doubtedTitle: 'Ha dicho que su lista de confianza quizá esté anticuada',
  doubted:
    'El servidor quizá muestre un estado anterior de su cuenta. Puede leer, pero este navegador no guarda cambios.',
  doubtedAdvice:
    'Compare este navegador con otro suyo, o desbloquee la bóveda en un navegador que haya usado después: él restablece la lista más nueva. Si no hay ninguno, puede empezar una lista nueva.',
  noneTitle: 'Su cuenta recibe una lista de confianza',
  none: 'Recuerda de quién ha confirmado la clave. Este navegador es nuevo para su cuenta. Si ya ha usado su cuenta en otro navegador, desbloquee primero la bóveda allí; entonces no se le preguntará aquí.',
  setUp: 'Establecerla aquí',
  tryAgain: 'Reintentar',
  trying: 'Comprobando',
  stillMissing: 'El servidor sigue sin mostrarla.',
  beginNew: 'Empezar una lista nueva',
  whatToDo: 'Qué hacer',
  notPutBack: (reason) => `No se pudo restablecer su lista de confianza en el servidor: ${reason}`,
  notStored: (reason) => `No se pudo guardar su lista de confianza en el servidor: ${reason}`,

  newTitle: '¿Empezar una lista de confianza nueva?',
  newText:
    'Se le preguntará entonces de nuevo por cada grupo y cada clave. Pregunte primero a quienes gestionan el servidor, salvo que sepa que se perdió una copia de seguridad: quien controle el servidor quizá quiera que acepte miembros falsos.',
  newEmail: 'Escriba su dirección de correo para confirmar',
  newMismatch: 'Esa no es la dirección de correo de su cuenta.',
  beginAction: 'empezar una lista de confianza nueva',
  readAction: 'leer su lista de confianza',
  setUpAction: 'establecer su lista de confianza',
  beginning: 'Empezando',
  begun: 'Se ha empezado una lista de confianza nueva',
  failed: (reason) => `Ha fallado: ${reason}`,

  setUpTitle: 'Establecer su lista de confianza',
  setUpText: 'Estos grupos están firmados con su propia clave. Desmarque cada grupo cuyos miembros no sean correctos.',
  setUpPeople: 'Claves que confirmó antes',
  setUpGroups: 'Grupos',
  setUpNothing: 'Su lista empieza vacía. Se le preguntará una vez por cada persona.',
  setUpMembers: (names) => `Miembros: ${names}`,
  right: 'Son correctos',
  settingUp: 'Estableciendo',
  isSetUp: (count) => `Su lista de confianza está establecida, con ${count} ${count === 1 ? 'grupo' : 'grupos'}`,

  lastUseTitle: '¿Usó su cuenta por última vez en este momento?',
  lastUse: (time, browser) => `${time}, ${browser}`,
  lastUseIn: (time, browser, group) => `${time}, ${browser}; por última vez en «${group}»`,
  lastUseWhy:
    'Este navegador es nuevo y solo ve lo que muestra el servidor. Su respuesta dice si el servidor calla algo que usted hizo después, como quitar a una persona.',
  yes: 'Sí',
  no: 'No, también después',
  answering: 'Guardando',
  newBrowser: (time, browser) => `Navegador nuevo. Su cuenta se usó por última vez ${time} en ${browser}.`,
  compare: 'Comparar navegadores',
  compareTitle: 'Comparar dos de sus navegadores',
  compareText:
    'Abra esto también en el otro navegador. Ambos deben mostrar el mismo número y las mismas palabras. Si difieren, no cambie nada y dígaselo a quienes gestionan el servidor.',
  compareNumber: (n) => `Lista ${n}`,
  compareWords: 'Palabras de la lista',
  compareAction: 'comparar sus navegadores',
  reading: 'Leyendo la lista',
  same: 'Son iguales',
  differ: 'Son distintas',
  compared: 'Sus navegadores tienen la misma lista de confianza',

  strictTitle: 'Ya no tiene que comparar las palabras de la clave antes de compartir.',
  strictText: '¿Mantener esta regla para su cuenta?',
  keep: 'Mantener',
  stopAsking: 'No exigirlo más',
  strictKept: 'Debe seguir comparando las palabras de la clave antes de compartir',
  strictStopped: 'Ahora puede compartir, y comparar las palabras de la clave después',
  strictOn: 'Usted solo comparte con personas cuyas palabras de la clave haya comparado.',

  storageDeleted:
    'Los datos que este navegador guarda sobre su cuenta se borraron mientras usted la usaba. Están guardados de nuevo. Si no los borró usted, dígaselo a quienes gestionan el servidor.',
  putBack: 'El servidor tenía una lista de confianza más antigua. Este navegador le ha enviado la más nueva.',
};
