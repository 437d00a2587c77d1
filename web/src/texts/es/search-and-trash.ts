import type { Translation } from '@passwordbroker/core/texts';
import type { ENTRY_PART_TEXTS, SEARCH_TEXTS, SUGGESTION_TEXTS } from '../entries/search.ts';
import type { ACTIVITY_LOG_TEXTS, CLIPBOARD_TEXTS, TRASH_TEXTS, UNDO_TEXTS } from '../entries/trash-and-activity.ts';

const entryCount = (count: number) => `${count} ${count === 1 ? 'entrada' : 'entradas'}`;

export const SEARCH: Translation<typeof SEARCH_TEXTS> = {
  heading: (query) => `Resultados de: «${query}»`,
  empty: '… sin resultados',
  similar: 'Parecido',
  similarHint: (query) => `Nada contiene «${query}». Estas entradas contienen palabras parecidas.`,
  emptyHint: (query) => `Nada coincide con «${query}». Compruebe la ortografía o busque algo más corto.`,
  count: (entries, groups) => `${entryCount(entries)} en ${groups} ${groups === 1 ? 'grupo' : 'grupos'}`,
  countOnPage: entryCount,
  perPage: 'Por página',
  perPageOption: (count) => `${count} por página`,
  updated: (time) => `Modificada ${time}`,
  loading: 'cargando …',
  failed: 'La búsqueda falló.',
  change: 'Cambiar la búsqueda',
  retry: 'Reintentar',
  hintTitle: 'Formas de buscar',
  hint: [
    { typed: 'title:root', text: 'en títulos de entradas y campos' },
    { typed: 'login:root', text: 'en nombres de acceso' },
    { typed: 'group:billing', text: 'en nombres de grupos' },
    { typed: 'type:TOTP', text: 'entradas con un campo de este tipo: password, TOTP, link, note, file' },
    { typed: 'tag:pci', text: 'entradas con esta etiqueta' },
    { typed: 'due:week', text: 'entradas que vencen en una semana; «due:late» para las vencidas' },
    { typed: '"old server"', text: 'estas palabras en este orden' },
    { typed: '-staging', text: 'sin esta palabra' },
    {
      typed: '"-staging"',
      text: 'exactamente este texto: entre comillas, un menos o una palabra como title: no tiene significado especial',
    },
  ],
  noFields: 'Esta entrada no tiene campos.',
};

const nounsOf = (entry: string, field: string | null) =>
  field === null ? `de «${entry}»` : `«${field}» de «${entry}»`;

export const ENTRY_PART: Translation<typeof ENTRY_PART_TEXTS> = {
  bar: (entry) => `Acciones para ${entry}`,
  buttons: {
    password: { label: 'Copiar la contraseña', keys: 'Ctrl C' },
    login: { label: 'Copiar el nombre de acceso', keys: 'Ctrl B' },
    link: { label: 'Abrir el enlace', keys: 'Ctrl O' },
    code: { label: 'Copiar el código', keys: 'Alt T' },
  },
  done: {
    password: (entry, field) => `Contraseña ${nounsOf(entry, field)} copiada`,
    login: (entry, field) => `Nombre de acceso ${nounsOf(entry, field)} copiado`,
    link: (entry, field) => `Enlace ${nounsOf(entry, field)} abierto`,
    code: (entry, field) => `Código de un solo uso ${nounsOf(entry, field)} copiado`,
  },
  none: {
    password: (entry) => `«${entry}» no tiene contraseña.`,
    login: (entry) => `«${entry}» no tiene nombre de acceso.`,
    link: (entry) => `«${entry}» no tiene enlace.`,
    code: (entry) => `«${entry}» no tiene código de un solo uso.`,
  },
  failed: {
    password: (entry, reason) => `La contraseña de «${entry}» no se copió. ${reason}`,
    login: (entry, reason) => `El nombre de acceso de «${entry}» no se copió. ${reason}`,
    link: (entry, reason) => `El enlace de «${entry}» no se abrió. ${reason}`,
    code: (entry, reason) => `El código de un solo uso de «${entry}» no se copió. ${reason}`,
  },
};

export const SUGGESTION: Translation<typeof SUGGESTION_TEXTS> = {
  list: 'Sugerencias',
  recent: 'Recientes',
  favourites: 'Favoritos',
  searches: 'Búsquedas',
  newLogin: 'Acceso nuevo',
  chooseGroup: 'Elija el grupo al que pertenece.',
  noGroup: 'No puede crear entradas en ningún grupo. Cree primero un grupo propio.',
  goOn: 'Continuar',
  unlock: 'Desbloquear la bóveda',
  home: 'Inicio',
  formerMembers: 'Antiguos miembros',
  groups: 'Grupos',
  actions: 'Acciones',
  entries: 'Entradas',
  similar: { group: 'Grupos parecidos', entry: 'Entradas parecidas' },
  count: (count) =>
    count === 0
      ? 'No hay sugerencias'
      : `${count} ${count === 1 ? 'sugerencia' : 'sugerencias'}, elija con las flechas`,
  foot: 'busca en todas las entradas',
  footKey: 'Intro',
  failed: (reason) => `Las sugerencias de búsqueda fallaron: ${reason}`,
};

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

interface Counts {
  readonly entry_groups: number;
  readonly entries: number;
  readonly fields: number;
}

const countsText = ({ entry_groups, entries, fields }: Counts) =>
  [
    entry_groups > 0 ? counted(entry_groups, 'grupo', 'grupos') : '',
    entries > 0 ? counted(entries, 'entrada', 'entradas') : '',
    fields > 0 ? counted(fields, 'campo', 'campos') : '',
  ]
    .filter(Boolean)
    .join(', ');

export const TRASH: Translation<typeof TRASH_TEXTS> = {
  page: 'Papelera',
  pageHint: 'Restaurar lo eliminado y deshacer sus cambios.',
  sections: 'Partes de la papelera',
  deleted: 'Eliminado',
  ofGroup: 'Papelera del grupo',
  tab: 'Papelera',
  list: 'Eliminado',
  loading: 'Cargando la papelera',
  failed: 'No se pudo cargar la papelera.',
  retry: 'Reintentar',
  empty: 'la papelera está vacía',
  emptyHint: 'Los grupos, entradas y campos eliminados quedan aquí hasta que se borran definitivamente.',
  kinds: { entry_group: 'Grupo', entry: 'Entrada', field: 'Campo' },
  titleOf: (title, more) => (more === 0 ? title : `${title} y ${more} más`),
  counts: countsText,
  where: (group) => `en ${group}`,
  atRoot: 'arriba del todo',
  who: (name) => `eliminado por ${name}`,
  byNobody: 'eliminado por un antiguo usuario',
  until: (time) => `se puede restaurar hasta ${time}`,
  showItems: (count) => `Mostrar ${count} objetos`,
  hideItems: (count) => `Ocultar ${count} objetos`,
  items: (title) => `Objetos de ${title}`,
  restore: 'Restaurar',
  restoreAsked: (title) => `¿Restaurar «${title}»?`,
  restoreNamed: (title) => `Restaurar ${title}`,
  restoring: 'Restaurando',
  restored: (title) => `«${title}» restaurado`,
  purge: 'Borrar definitivamente',
  purgeNamed: (title) => `Borrar ${title} definitivamente`,
  purgeDialog: (title) => `¿Borrar ${title} definitivamente?`,
  counting: 'Contando',
  countFailed: 'No se pudieron contar los objetos.',
  purgeText: ({ files, ...counts }) =>
    `Borra ${countsText(counts)}${files > 0 ? `, entre ellos ${counted(files, 'archivo', 'archivos')},` : ''} con todas las versiones, para todas las personas.`,
  emptyTrash: 'Vaciar la papelera',
  emptyTrashDialog: '¿Vaciar la papelera?',
  emptyTrashWhat: (items, ofGroup) =>
    `${counted(items, 'objeto eliminado', 'objetos eliminados')} ${ofGroup ? 'de este grupo' : 'de todos los grupos donde usted es administrador'} ${items === 1 ? 'se borrará' : 'se borrarán'} definitivamente.`,
  emptied: 'La papelera se ha vaciado',
  purgeLast: 'Esto no se puede deshacer.',
  purging: 'Borrando',
  purged: (title) => `«${title}» borrado definitivamente`,
  cancel: 'Cancelar',

  changes: 'Sus cambios',
  changesLoading: 'Cargando sus cambios',
  changesFailed: 'No se pudieron cargar sus cambios.',
  changesEmpty: 'nada que deshacer',
  changesEmptyHint:
    'Aquí están sus entradas nuevas, movimientos, cambios de nombre e importaciones mientras se puedan deshacer.',
  undo: 'Deshacer',
  undoNamed: (what) => `Deshacer: ${what}`,
  undoing: 'Deshaciendo',
  undone: (what) => `Deshecho: ${what}`,
  undoneExcept: (what, count) => `Deshecho: ${what}. Cambiado desde entonces, y por eso conservado: ${count}.`,
  undoImportAction: (name) => `deshacer la importación en «${name}»`,
  undoUntil: (time) => `se puede deshacer hasta ${time}`,
  undoMoveAction: (group) => `devolver las entradas a «${group}»`,
  unknownGroup: 'un grupo que usted no ve',
  theRoot: 'arriba del todo',
  groupNamed: (title) => `«${title}»`,
  renamed: (kind, from, to) => `${kind === 'entry_group' ? 'Grupo' : 'Entrada'} «${from}»: nuevo nombre «${to}»`,
  movedGroup: (title, from, to) => `Grupo «${title}» movido: de ${from} a ${to}`,
  movedEntries: (title, more, from, to) =>
    more === 0
      ? `Entrada «${title}» movida: de ${from} a ${to}`
      : `Entrada «${title}» y ${more} más movidas: de ${from} a ${to}`,
  imported: (name) => `Importación en «${name}»`,
};

export const UNDO: Translation<typeof UNDO_TEXTS> = {
  undo: 'Deshacer',
  failed: (reason) => `No se pudo deshacer: ${reason}`,
};

export const ACTIVITY_LOG: Translation<typeof ACTIVITY_LOG_TEXTS> = {
  title: 'Actividades',
  count: (shown, kept) => `${shown} de ${kept}`,
  close: 'Cerrar',
  empty: 'Aún no ha ocurrido nada',
};

export const CLIPBOARD: Translation<typeof CLIPBOARD_TEXTS> = {
  clears: (seconds) => `El portapapeles se vacía en ${seconds} s`,
  clearsOnReturn: 'El portapapeles se vaciará cuando vuelva a esta página',
};
