import type { Translation } from '@passwordbroker/core/texts';
import type { FORMER_MEMBER_TEXTS, MEMBER_TEXTS } from '../groups/members.ts';
import type { JOINED_TEXTS } from '../groups/joined.ts';
import type { SHARING_TEXTS } from '../groups/sharing.ts';

const groups = (count: number) => `${count} ${count === 1 ? 'grupo' : 'grupos'}`;
const values = (count: number) => `${count} ${count === 1 ? 'valor' : 'valores'}`;
const left = (count: number) => `Parado: ${groups(count)} sin cambios.`;

export const MEMBER: Translation<typeof MEMBER_TEXTS> = {
  tab: 'Usuarios',
  table: 'Usuarios del grupo',
  columns: { user: 'Usuario', role: 'Rol', since: 'Rol desde', remove: 'Quitar' },
  you: 'usted',
  noRemove: 'no se puede quitar',
  loading: 'Cargando los usuarios',
  failed: 'No se pudieron cargar los usuarios.',
  retry: 'Reintentar',
  cancel: 'Cancelar',
  close: 'Cerrar',

  addNew: 'Añadir un usuario',
  addHint: 'Búsqueda por nombre. Quienes ya son miembros no están en la lista.',
  addAs: (role) => `añadir como ${role}`,
  addLabel: (name, role) => `añadir como ${role}: ${name}`,
  found: 'Personas encontradas',
  searching: 'Buscando',
  foundCount: (count) => (count === 1 ? '1 persona encontrada' : `${count} personas encontradas`),
  foundMore: (count) => `Estas son las primeras ${count}. Escriba más del nombre para ver otras.`,
  nobody: 'No se encontró a nadie. ¿Sin cuenta? Pida una invitación a un administrador del sitio.',
  searchFailed: (reason) => `La búsqueda de personas falló: ${reason}`,
  addAction: (name) => `añadir a ${name}`,
  adding: (name) => `Añadiendo a ${name}`,
  added: (name, role, count) => `${name} añadido como ${role}${count > 1 ? ` en ${groups(count)}` : ''}`,
  noKeys: (name) =>
    `${name} aún no tiene claves. Esta persona debe iniciar sesión y desbloquear la bóveda una vez antes de que usted pueda compartir.`,

  alsoBelow: (count) =>
    count === 1
      ? 'También en el subgrupo donde usted es administrador'
      : `También en los ${count} subgrupos donde usted es administrador`,

  changeRole: (name) => `Rol de ${name}`,
  changeTo: (role) => `Cambiar a ${role}`,
  isNow: (role) => `${role} (rol actual)`,
  changeTitle: (name, role) => `${name}: ¿rol ${role}?`,
  roleMeans: {
    admin: (name) =>
      `${name} podrá verlo, editarlo y eliminarlo todo aquí, añadir y quitar personas, y ya no se podrá quitar.`,
    moderator: (name) => `${name} podrá ver, editar, mover y eliminar entradas, y no podrá añadir ni quitar personas.`,
    member: (name) => `${name} podrá ver, copiar y descargar valores, y no podrá cambiar nada.`,
  },
  change: 'Cambiar el rol',
  changing: 'Cambiando',
  changeAction: (name) => `cambiar el rol de ${name}`,
  changed: (name, role, count) => `${name} es ahora ${role}${count > 1 ? ` en ${groups(count)}` : ''}`,

  remove: (name) => `Quitar a ${name}`,
  removeTitle: (name, group) => `¿Quitar a ${name} de ${group}?`,
  removeMeans: (name) => [
    `${name} pierde enseguida el acceso a este grupo.`,
    `El grupo recibe después una clave nueva. Lo que se guarde luego no se puede abrir con las claves de ${name}.`,
    `${name} tiene quizá copias de lo abierto. Cambie esos secretos; están en «Antiguos miembros».`,
  ],
  removeShort: 'Quitar',
  removing: 'Quitando',
  removeAction: (name) => `quitar a ${name}`,
  removed: (name, count) => `${name} quitado${count > 1 ? ` de ${groups(count)}` : ''}`,

  working: (done, total) => `Grupo ${Math.min(done + 1, total)} de ${total}`,
  stop: 'Parar',
  stopped: left,
  failedIn: (count) => `Falló en ${groups(count)}:`,
  notEverywhere: (action, failed, leftOver) =>
    [
      `No se hizo en todos los grupos: ${action}.`,
      ...(failed === 0 ? [] : [`Falló en ${groups(failed)}.`]),
      ...(leftOver === 0 ? [] : [left(leftOver)]),
    ].join(' '),
  failedWhere: (group, reason) => `${group}: ${reason}`,
  andMore: (count) => `y ${groups(count)} más`,
  skipped: {
    'not-member': (count) => `No es miembro en ${groups(count)}.`,
    'same-role': (count) => `Ya tiene este rol en ${groups(count)}.`,
    'other-role': (count) => `Ya tiene otro rol, que no se cambió, en ${groups(count)}.`,
    admin: (count) => `Es administrador en ${groups(count)}; un administrador no se puede quitar.`,
  },
  again: 'Reintentar estos',
};

export const FORMER_MEMBER: Translation<typeof FORMER_MEMBER_TEXTS> = {
  page: 'Antiguos miembros',
  pageHint: 'Personas que dejaron sus grupos, y los secretos que abrieron. Cámbielos.',
  title: 'Antiguos miembros',
  list: 'Personas que se fueron',
  loading: 'Cargando los antiguos miembros',
  failed: 'No se pudieron cargar los antiguos miembros.',
  retry: 'Reintentar',
  empty: 'no se ha ido nadie',
  emptyHint: 'Aquí están las personas quitadas de grupos donde usted es administrador.',
  wasRole: (name, role) =>
    `${name} era ${{ admin: 'administrador', moderator: 'moderador', member: 'miembro' }[role]} hasta que se restablecieron sus claves`,
  addAgain: 'Añadir de nuevo',
  addAgainNamed: (name) => `Añadir de nuevo: ${name}`,
  addAgainTitle: (name) => `Añadir de nuevo a ${name}`,
  addAgainOthers: (count) =>
    `También a ${count} ${count === 1 ? 'otro grupo' : 'otros grupos'} donde usted es administrador`,
  addAgainIn: 'Grupos y roles como antes',
  addedAgain: (name) => `${name} ha vuelto`,
  causes: { removed: 'quitado', deleted: 'cuenta eliminada', reset: 'cuenta restablecida' },
  from: (group) => `de ${group}`,
  progress: (done, all) => (all === 0 ? 'nada que cambiar' : `${done} de ${all} cambiados`),
  cut: 'Solo se muestran las últimas 2000 personas que se fueron.',
  changeNow: 'Cambiar',
  changeNamed: (field, entry) => `Cambiar ${field} de ${entry}`,
  gone: 'Este campo se movió o se eliminó entretanto.',
  within: (group) => `en ${group}`,
  others: 'Grupos que administran otros',
  othersHint: (name) =>
    `${name} sigue siendo miembro allí. Pida a un administrador del grupo que quite a esta persona y cambie lo que ha visto.`,
  ask: (names) => (names.length === 0 ? 'no tiene otro administrador' : `pregunte a ${names.join(' o ')}`),
  more: (name) => `Lo que abrió ${name}`,
  show: 'Mostrar',
  less: 'Ocultar',

  rows: (name) => `Abierto por ${name}`,
  columns: { entry: 'Entrada', field: 'Campo', opened: 'Abierto', state: 'Estado' },
  rowsLoading: 'Cargando los secretos abiertos',
  rowsFailed: 'No se pudieron cargar los secretos abiertos.',
  nothing: 'Aquí no se abrió nada.',
  how: { revealed: 'mostrado', offline: 'en una copia sin conexión', written: 'escrito' },
  change: 'cambie esto',
  changed: 'cambiado desde entonces',
  trashed: 'en la papelera',
  untitled: 'sin título',
  openedBy: (name, count) =>
    count === 0 ? `${name} no abrió nada en este grupo.` : `${name} abrió ${values(count)} en este grupo`,
  export: 'Exportar como CSV',
  exportName: (name) => `abierto por ${name}.csv`,
  exported: (name) => `Lista guardada: lo que abrió ${name}`,
  csv: ['Persona', 'Grupo', 'Entrada', 'Campo', 'Tipo', 'Abierto el', 'Cómo', 'Estado'],
  inAllGroups: (name) => `${name} en todos los grupos`,
  onePerson: 'Se muestra una persona.',
  everybody: 'Mostrar todas',
  allGroups: 'Antiguos miembros de todos los grupos',
};

export const SHARING: Translation<typeof SHARING_TEXTS> = {
  share: 'Compartir',
  shareLabel: (group) => `Compartir «${group}»`,
  search: 'Buscar personas',
  choose: (name) => `Elegir a ${name}`,
  chosen: 'Personas con las que compartir',
  role: 'Rol',
  they: 'Cada una de estas personas',
  drop: (name) => `Dejar fuera a ${name}`,
  lookingUp: 'Consultando la clave',
  lookUpAgain: (name) => `Consultar de nuevo la clave de ${name}`,
  compareText:
    'Compare las ocho palabras con cada persona, por teléfono o en la misma sala: están en «Las palabras de su clave» del menú del candado.',
  laterText:
    'También puede compartir ahora y comparar después. Hasta entonces la lista de usuarios muestra «confianza provisional».',
  strictText: 'Aquí solo puede compartir con personas cuyas palabras haya comparado.',
  later: 'Compartir ahora, comparar después',
  now: 'Compartir ahora',
  sharing: 'Compartiendo',
  waiting: 'en espera',
  done: 'compartido',
  failed: 'sin compartir',
  stop: 'Parar',
  again: 'Reintentar estos',
  cancel: 'Cancelar',
  close: 'Cerrar',
  nobodyChosen: 'Elija al menos una persona.',
  keyUnknown: (name) => `La clave de ${name} aún no se conoce.`,
  compareFirst: (name) => `Compare primero las palabras con ${name}, o deje fuera a ${name}.`,
  progress: (done, all) => `Compartido con ${done} de ${all} ${all === 1 ? 'persona' : 'personas'}`,
};

export const JOINED: Translation<typeof JOINED_TEXTS> = {
  title: 'Recién llegados',
  row: (name, shares) =>
    shares.length === 0
      ? `${name} ha aceptado la invitación.`
      : `${name} ha aceptado la invitación. Por compartir: ${shares.join(', ')}`,
  inRole: (group, role) => `${group} (${role})`,
  roles: { admin: 'administrador', moderator: 'moderador', member: 'miembro' },
  leftOut: (count) =>
    count === 1
      ? 'Aquí falta un grupo: ya no existe, o usted ya no lo administra.'
      : `Aquí faltan ${count} grupos: ya no existen, o usted ya no los administra.`,
  share: 'Compartir',
  shareWith: (name) => `Compartir con ${name}`,
  toShare: 'Grupos que compartir',
  shared: (name, count) => `${groups(count)}: compartido con ${name}`,
  dismiss: (name) => `No recordar más que comparta con ${name}`,
  dismissed: (name) => `Ya no se le recordará que comparta con ${name}`,
  failed: (reason) => `No se pudo eliminar el recordatorio. ${reason}`,
};
