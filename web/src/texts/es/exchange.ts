/** The Spanish texts of imports and exports. They share nothing with `spanish.ts`, which has a chunk of its own. */
import { translated, translateMore, type Translation } from '@passwordbroker/core/texts';
import type { EXPORT_TEXTS } from '../entries/export.ts';
import type { IMPORT_TEXTS } from '../entries/import.ts';
import { exchangeSentences, SKIPPED } from '@passwordbroker/client/texts/es/messages/exchange-messages';

const entries = (count: number) => (count === 1 ? '1 entrada' : `${count} entradas`);
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const IMPORT: Translation<typeof IMPORT_TEXTS> = {
  title: 'Importar datos',
  subtitle: 'Un archivo de otro programa. Verá lo que contiene antes de que se cree nada.',
  file: 'Archivo',
  fileKind: 'KeePass XML 2.x, como lo exportan KeePass y KeePassXC, o un archivo de otro gestor de contraseñas',
  drop: 'Suelte aquí un archivo o',
  choose: 'elija un archivo',
  replace: 'Sustituir',
  chosen: (size, kind) => (kind === null ? size : `${size}, ${kind}`),
  otherKind: '¿Otro tipo?',
  kind: 'Tipo de archivo',
  filePassword: 'Contraseña del archivo',
  filePasswordHint: 'Se usa en este navegador y no se envía.',
  filePasswordMissing: 'Escriba la contraseña del archivo.',
  keyFile: 'Archivo de clave',
  chooseKeyFile: 'elija un archivo de clave',
  keyFileHint: 'Solo si el archivo necesita uno.',
  withoutKeyFile: 'Sin archivo de clave',
  oneFileOnly: 'Elija un solo archivo.',
  fileMissing: 'Falta el archivo',
  masterPassword: 'Contraseña maestra',
  masterPasswordHint: 'Abre sus claves en este navegador y no se envía.',
  alreadyUnlocked: 'ya desbloqueada',
  alreadyUnlockedHint: 'La bóveda está abierta. No hay nada que escribir aquí.',
  masterPasswordMissing: 'Falta la contraseña maestra',
  pendingAction: (file) => `importar «${file}»`,
  columns: 'Lo que significan las columnas',
  column: (number) => `Columna ${number}`,
  hasNames: 'La primera línea tiene los nombres',
  showCells: 'Mostrar las celdas',
  hideCells: 'Ocultar las celdas',
  maskedCells: '••••••••',
  noCells: 'vacío',
  meaningOf: (column) => `Significado de ${column}`,
  meanings: {
    title: 'Título',
    group: 'Ruta del grupo',
    login: 'Nombre de usuario',
    password: 'Contraseña',
    url: 'URL',
    notes: 'Notas',
    totp: 'Contraseña de un solo uso',
    created: 'Creación',
    modified: 'Modificación',
    tags: 'Etiquetas',
    text: 'Campo de texto',
    secret: 'Campo secreto',
    none: 'Omitir',
  },
  separator: 'Entre los nombres de la ruta de un grupo',
  noSeparator: 'Nada: cada texto es un grupo',
  next: 'Continuar',
  busy: 'Importando',
  cancel: 'Cancelar',
  cancelling: 'Cancelando',
  takingBack: 'Ya se había enviado todo. La importación se está deshaciendo en el servidor.',
  cancelled: 'La importación se canceló. No se cambió nada.',
  progress: {
    opening: 'Abriendo el archivo',
    reading: 'Leer',
    comparing: 'Comparar',
    sealing: 'Cifrar',
    uploading: 'Subir',
    storing: 'Guardar',
  },
  opening: (seconds) => `Abriendo el archivo: unos ${seconds} s`,
  reading: (done, total) => `${done} de ${total} leídos. Deje abierta esta pestaña.`,
  comparing: (done, total) => `${done} de ${total} valores comparados en este navegador. Deje abierta esta pestaña.`,
  sealing: (done, total) => `${done} de ${total} valores cifrados en este navegador. Deje abierta esta pestaña.`,
  uploading: (done, total) => `${done} de ${total} subidos. Deje abierta esta pestaña.`,
  storing: 'El servidor guarda la importación. Deje abierta esta pestaña.',
  failed: 'No se pudo importar el archivo.',
  tookTooLong: 'La lectura ha tardado demasiado y se ha detenido.',
  lost: 'Puede que el servidor haya guardado la importación. Mire si el árbol nuevo está entre los grupos.',
  lostInto:
    'Puede que el servidor haya guardado la importación. Abra el grupo y mire si las entradas nuevas están ahí.',
  notTakenBackInto: (name) =>
    `La importación se guardó en «${name}» y no se pudo deshacer. Deshágala en la página Papelera.`,
  notTakenBack: (name) =>
    `La importación se guardó como árbol nuevo «${name}» y no se pudo deshacer. Si el árbol sigue entre los grupos, deshaga la importación en la página Papelera o elimine el árbol.`,
  tooLarge: (limit) => `El archivo es mayor que ${limit}.`,

  look: 'Ver antes de importar',
  source: (kind, size) => `${kind}, ${size}`,
  inFile: 'En el archivo',
  better: (kind) => `Este programa también puede exportar ${kind}, que contiene más que este archivo.`,
  values: (count) => counted(count, 'valor', 'valores'),
  earlier: (count) => counted(count, 'versión anterior', 'versiones anteriores'),
  files: (count, size) => `${counted(count, 'archivo', 'archivos')} (${size})`,
  preview: 'Grupos y entradas del archivo',
  groupRow: (name, count) => `${name}, ${count}`,
  changes: 'Lo que cambia o se queda atrás',
  nothingChanges: 'Todo lo del archivo tiene aquí un lugar.',
  andMore: (count) => `y ${count} más`,
  copyList: 'Copiar la lista',
  listCopied: 'La lista está en el portapapeles.',
  saveReport: 'Guardar el informe',
  reportTitle: (file) => `Importación de «${file}»`,
  reportName: (day) => `informe-importacion-${day}.txt`,
  whereTo: 'Destino',
  asNewTree: 'Como árbol nuevo',
  intoGroup: 'En un grupo',
  groupMissing: 'Elija el grupo que recibe la importación.',
  sameMembers: 'Los grupos nuevos reciben los miembros del grupo superior',
  sameMembersHint: 'Los grupos con la misma ruta se reutilizan. Sin esto, solo usted está en los nuevos.',
  marks: { new: 'nuevo', existing: 'existente', duplicate: 'duplicado' },
  newTree: 'Nombre del árbol nuevo',
  newTreeMissing: 'Escriba un nombre para el árbol nuevo.',
  deleteFile: (name) =>
    `El archivo ${name} no está cifrado. Elimínelo tras la importación, también de las descargas y de la papelera de este ordenador.`,
  importEntries: (count) => `Importar ${entries(count)}`,
  back: 'Atrás',

  doneTitle: 'Importación terminada',
  doneInto: (name) => `Creado como árbol nuevo «${name}».`,
  doneIntoGroup: (name) => `Creado en «${name}».`,
  read: 'Leído',
  leftOut: 'Omitido',
  leftOutLine: (count, kind, reason) => {
    const [one, several] = SKIPPED[kind] ?? [kind, kind];
    return `${count} ${count === 1 ? one : several}: ${translated(reason)}`;
  },
  nothingLeftOut: 'No se omitió nada.',
  groups: (count) => counted(count, 'grupo', 'grupos'),
  entries,
  fields: (count) => counted(count, 'campo', 'campos'),
  updated: (count) => `${counted(count, 'valor', 'valores')} con una versión nueva`,
  revisions: (count) => `${counted(count, 'versión', 'versiones')} de estos campos, con el historial`,
  open: 'Abrir el árbol',
  openGroup: 'Abrir el grupo',

  toast: (count, name) => `${entries(count)}: importación hecha en «${name}»`,
  log: (name) => `Importación en «${name}» terminada`,
  undone: (name) => `Importación en «${name}» deshecha`,
};

const number = (value: number) => value.toLocaleString('es');
const many = (value: number, one: string, others: string) => `${number(value)} ${value === 1 ? one : others}`;
const groups = (value: number) => many(value, 'grupo', 'grupos');
const valuesOf = (value: number) => many(value, 'valor', 'valores');

const EXPORT: Translation<typeof EXPORT_TEXTS> = {
  title: 'Exportar',
  ofGroup: (name, below) => (below === 0 ? `El grupo «${name}».` : `El grupo «${name}» y ${groups(below)} por debajo.`),
  ofEntries: (value) => `${many(value, 'entrada seleccionada', 'entradas seleccionadas')}.`,
  ofAll: (value) => `Todo lo que puede exportar: ${groups(value)}.`,
  selection: 'selección',
  all: 'todo',
  loading: 'Cargando lo que se puede exportar',
  off: 'Las exportaciones están desactivadas en este sitio.',
  nothing: 'Aquí no hay nada que pueda exportar.',
  leastRole: {
    admins: 'Un administrador de un grupo puede exportarlo.',
    moderators: 'Los administradores y moderadores de un grupo pueden exportarlo.',
    members: 'Los miembros de un grupo pueden exportarlo.',
  },
  refused: (value, names) => `No puede exportar ${groups(value)}: ${names}.`,
  leaveOut: 'Dejarlos fuera',
  kind: 'Tipo de archivo',
  kinds: {
    pbx: 'Archivo de PasswordBroker, cifrado, con todo',
    kdbx: 'KeePass (KDBX 4), cifrado',
    bitwarden: 'JSON de Bitwarden, cifrado con una contraseña',
    'bitwarden-plain': 'JSON de Bitwarden, sin cifrar',
    'csv-manager': 'CSV para otros gestores de contraseñas, sin cifrar',
    'csv-table': 'CSV para hojas de cálculo, sin cifrar',
    cxf: 'FIDO Credential Exchange (CXF), sin cifrar',
  },
  shortKinds: {
    pbx: 'El archivo de PasswordBroker',
    kdbx: 'KDBX',
    bitwarden: 'El JSON de Bitwarden',
    'bitwarden-plain': 'El JSON de Bitwarden',
    'csv-manager': 'CSV',
    'csv-table': 'CSV',
    cxf: 'CXF',
  },
  plainOff: 'Los archivos sin cifrado están desactivados en este sitio.',
  history: 'Con versiones anteriores',
  files: 'Con archivos adjuntos',
  password: 'Contraseña del archivo',
  passwordHint:
    'Sin esta contraseña nadie puede abrir el archivo. No es su contraseña maestra y no se puede recuperar.',
  repeat: 'Repetir la contraseña',
  passwordMissing: 'Escriba una contraseña para el archivo.',
  passwordsDiffer: 'Las dos contraseñas no son iguales.',
  weak: 'Esta contraseña es fácil de adivinar. Elija una más larga o continúe con ella.',
  plain: 'Cualquiera que obtenga este archivo puede leerlo. Elimínelo en cuanto lo haya usado.',
  next: 'Continuar',
  cancel: 'Cancelar',
  preparing: 'Preparando la exportación',
  another: 'Otra exportación suya está en curso, quizás en otra pestaña.',
  endOther: 'Terminarla',

  confirmTitle: '¿Exportar estos valores?',
  counts: (groupCount, entryCount, values) =>
    `${groups(groupCount)} · ${many(entryCount, 'entrada', 'entradas')} · ${valuesOf(values)}`,
  withFiles: (size) => `con archivos adjuntos (${size})`,
  hasNo: (kind, missing) => `${kind} no tiene ${missing.join(' ni ')}.`,
  noFiles: (value) => `archivos adjuntos (${number(value)})`,
  noHistory: (value) => `versiones anteriores (${number(value)})`,
  noCodes: (value) => `códigos de un solo uso (${number(value)})`,
  notExported: (missing) => `Excluido por su elección: ${missing.join(' y ')}.`,
  filesLeft: (value) => many(value, 'archivo adjunto', 'archivos adjuntos'),
  historyLeft: (value) => many(value, 'versión anterior', 'versiones anteriores'),
  recorded: (values) =>
    values === 1
      ? '1 valor quedará registrado como abierto por usted.'
      : `${number(values)} valores quedarán registrados como abiertos por usted.`,
  plainCount: (passwords) =>
    `Cualquiera que obtenga este archivo puede leer ${many(passwords, 'contraseña', 'contraseñas')}. Elimínelo en cuanto lo haya usado.`,
  formulas: 'No abra este archivo en una hoja de cálculo: podría ejecutar celdas que parecen fórmulas.',
  understood: 'Lo entiendo',
  back: 'Atrás',
  exportValues: (values) => `Exportar ${valuesOf(values)}`,
  empty: 'No contiene ningún valor.',
  notImportable:
    'El archivo es demasiado grande para una sola importación en PasswordBroker. Si va a volver a importarlo, exporte menos grupos, o sin versiones anteriores ni archivos adjuntos.',

  pendingAction: 'exportar valores',
  opening: (done, total) => `Abriendo ${number(done)} de ${number(total)} valores. Mantenga abierta esta pestaña.`,
  writing: (done, total) =>
    total === 0 ? 'Escribiendo el archivo' : `Escribiendo ${number(done)} de ${number(total)} entradas`,
  cancelling: 'Cancelando',
  cancelled: (values) =>
    values === 0
      ? 'La exportación se canceló. No se había abierto ningún valor.'
      : `La exportación se canceló. ${valuesOf(values)} ${values === 1 ? 'se había abierto y queda registrado' : 'se habían abierto y quedan registrados'}.`,

  doneTitle: 'El archivo está listo',
  exported: (values) => `${valuesOf(values)} ${values === 1 ? 'exportado' : 'exportados'}.`,
  gone: (values) =>
    `${valuesOf(values)} ${values === 1 ? 'cambió o se retiró entretanto y no está' : 'cambiaron o se retiraron entretanto y no están'} en el archivo.`,
  damaged: (values) =>
    `${valuesOf(values)} ${values === 1 ? 'está dañado y no figura' : 'están dañados y no figuran'} en el archivo.`,
  lost: 'Lo que este tipo de archivo no contiene',
  lostLine: IMPORT.leftOutLine,
  save: 'Guardar el archivo',
  saved: (name) => `Guardado como ${name}.`,
  deleteFile: (name) =>
    `${name} no está cifrado. Elimínelo en cuanto lo haya usado, también de las descargas y de la papelera de este equipo.`,
  close: 'Cerrar',
};

export const EXCHANGE_TEXTS: Readonly<Record<string, object>> = {
  import: IMPORT,
  export: EXPORT,
};

/** Before the English ones are loaded. */
export const translateExchange = (): void => translateMore(EXCHANGE_TEXTS, exchangeSentences);
