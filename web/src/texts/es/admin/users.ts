import type { Translation } from '@passwordbroker/core/texts';
import type { OFFBOARDING_TEXTS } from '../../admin/offboarding.ts';
import type { ADMIN_INVITES_TEXTS, ADMIN_USERS_TEXTS } from '../../admin/users.ts';

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const groups = (count: number) => counted(count, 'grupo', 'grupos');

export const ADMIN_USERS: Translation<typeof ADMIN_USERS_TEXTS> = {
  table: 'Usuarios',
  columns: {
    name: 'Nombre',
    email: 'Correo electrónico',
    createdAt: 'Creado',
    storage: 'Almacenamiento',
    access: 'Acceso',
    actions: 'Acciones',
  },
  search: 'Buscar usuarios',
  searchHint: 'Por nombre o correo',
  loading: 'Cargando los usuarios',
  failed: 'No se pudieron cargar los usuarios.',
  nobody: '… sin resultados',
  nobodyHint: 'Ningún nombre ni correo coincide.',
  nobodyFiltered: 'No hay nadie en esta lista.',
  marks: {
    admin: 'Administrador del sitio',
    auditor: 'Auditor',
    disabled: 'Desactivado',
    noKeys: 'Sin claves',
    mustRekey: 'Debe crear claves nuevas',
    exposed: 'Contraseña maestra usada en el servidor',
    noRecoveryKit: 'Sin hoja de emergencia',
    breakGlass: 'Cuenta de emergencia',
    provider: (name) => `Inicia sesión con ${name}`,
    noPassword: 'Sin contraseña de cuenta',
  },
  show: 'Mostrar',
  filters: {
    all: 'Todos',
    without_factor: 'Sin segundo factor',
    unlinked: 'Sin vincular con un proveedor de identidad',
    break_glass: 'Cuentas de emergencia',
  },
  edit: (name) => `Editar ${name}`,
  remove: (name) => `Eliminar ${name}`,
  notYourself: 'No puede eliminar su propia cuenta',
  more: (name) => `Más sobre ${name}`,
  verbs: {
    promote: 'Hacer administrador del sitio',
    demote: 'Quitar el rol de administrador del sitio',
    makeAuditor: 'Hacer auditor',
    endAuditor: 'Quitar el rol de auditor',
    disable: 'Desactivar',
    enable: 'Reactivar',
    resetKeys: 'Restablecer las claves',
    nameBreakGlass: 'Convertir en cuenta de emergencia',
    endBreakGlass: 'Terminar la cuenta de emergencia',
    offboard: 'Salida',
  },
  asked: {
    promote: {
      title: (name) => `¿Hacer a ${name} administrador del sitio?`,
      text: 'Un administrador del sitio crea, cambia y elimina cuentas, ve el registro y cambia los ajustes. Eso no da acceso a secretos de otros grupos.',
      confirm: 'Hacer administrador del sitio',
      confirming: 'Cambiando',
      done: (name) => `${name} es administrador del sitio`,
    },
    demote: {
      title: (name) => `¿Quitar a ${name} el rol de administrador del sitio?`,
      text: 'La cuenta y sus grupos quedan. Las invitaciones abiertas de esta persona terminan. No se puede quitar el rol al último administrador del sitio.',
      confirm: 'Quitar el rol de administrador del sitio',
      confirming: 'Cambiando',
      done: (name) => `${name} ya no es administrador del sitio`,
    },
    makeAuditor: {
      title: (name) => `¿Hacer a ${name} auditor?`,
      text: 'Un auditor lee el registro, las listas de usuarios, tokens, invitaciones y copias de seguridad, y los ajustes. Un auditor no puede cambiar nada ni descargar copias, y el rol no abre grupos.',
      confirm: 'Hacer auditor',
      confirming: 'Cambiando',
      done: (name) => `${name} es auditor`,
    },
    endAuditor: {
      title: (name) => `¿Quitar a ${name} el rol de auditor?`,
      text: 'La cuenta y sus grupos quedan. Esta persona ya no puede abrir la administración.',
      confirm: 'Quitar el rol de auditor',
      confirming: 'Cambiando',
      done: (name) => `${name} ya no es auditor`,
    },
    disable: {
      title: (name) => `¿Desactivar a ${name}?`,
      text: 'Cada sesión, cada token y cada invitación abierta de la cuenta termina ahora, y nadie puede iniciar sesión con ella hasta que se reactive. Los grupos y las claves quedan.',
      confirm: 'Desactivar',
      confirming: 'Desactivando',
      done: (name) => `${name} está desactivado`,
    },
    nameBreakGlass: {
      title: (name) => `¿Convertir a ${name} en cuenta de emergencia?`,
      text: 'Este administrador del sitio siempre puede iniciar sesión con contraseña de cuenta o llave de acceso, aunque esté desactivado para otros. Cuando ocurre, todos los administradores del sitio reciben un correo.',
      confirm: 'Convertir en cuenta de emergencia',
      confirming: 'Cambiando',
      done: (name) => `${name} es una cuenta de emergencia`,
    },
    endBreakGlass: {
      title: (name) => `¿Terminar la cuenta de emergencia ${name}?`,
      text: 'Mientras las contraseñas de cuenta y las llaves de acceso estén desactivadas, esta persona ya no puede iniciar sesión con ellas, y las sesiones así iniciadas terminan.',
      confirm: 'Terminar la cuenta de emergencia',
      confirming: 'Cambiando',
      done: (name) => `${name} ya no es una cuenta de emergencia`,
    },
    enable: {
      title: (name) => `¿Reactivar a ${name}?`,
      text: 'La persona puede volver a iniciar sesión.',
      confirm: 'Reactivar',
      confirming: 'Reactivando',
      done: (name) => `${name} está reactivado`,
    },
  },

  removeQuestion: (name) =>
    `¿Eliminar al usuario ${name}? La cuenta, sus claves y sus pertenencias a grupos se eliminan definitivamente.`,
  removed: 'El usuario se ha eliminado',
  removeFailed: 'Se ha producido un error. Inténtelo de nuevo más tarde',
  onlyAdminTitle: (name) => `¿Eliminar a ${name}, único administrador de estos grupos?`,
  onlyAdminText:
    'Los grupos con otros miembros se pueden seguir leyendo, pero nadie puede añadir miembros ni cambiar roles. Los grupos sin otros miembros van a la papelera.',
  onlyAdminConfirm: 'Eliminar de todos modos',
  removing: 'Eliminando',
  soleGroup: (name, members) => `${name} (${counted(members, 'miembro', 'miembros')})`,
  soleGroups: 'Grupos sin otro administrador',

  reset: {
    title: (name) => `¿Restablecer las claves de ${name}?`,
    text: 'Cuando la persona ha olvidado su contraseña maestra y no tiene hoja de emergencia. Esto no se puede deshacer.',
    losses: 'Lo que se pierde',
    lossKeys: 'Las claves actuales: todo lo que solo esta persona podía abrir se pierde.',
    lossGroups: 'Todas las pertenencias: los administradores de los grupos deben volver a añadir a la persona.',
    lossSessions: 'Todas las sesiones y tokens.',
    loading: 'Buscando grupos sin otro administrador',
    loadFailed: 'No se pudieron buscar los grupos.',
    onlyMember: (count) =>
      count === 1
        ? 'En 1 grupo esta persona es el único miembro. Sus secretos se pierden.'
        : `En ${count} grupos esta persona es el único miembro. Sus secretos se pierden.`,
    noSoleGroups: 'Ningún grupo pierde a su único administrador.',
    typeName: (name) => `Escriba ${name} para confirmar`,
    confirm: 'Restablecer las claves',
    confirming: 'Restableciendo',
    done: (name) => `Las claves de ${name} están restablecidas`,
    after: 'La persona inicia sesión con la contraseña de la cuenta y crea claves nuevas.',
  },

  create: {
    page: 'Crear un usuario',
    email: 'Correo electrónico',
    username: 'Nombre de usuario',
    password: 'Contraseña',
    confirmPassword: 'Repita la contraseña',
    masterPassword: 'Contraseña maestra',
    confirmMasterPassword: 'Repita la contraseña maestra',
    passwordsDiffer: 'Las contraseñas no coinciden',
    masterPasswordsDiffer: 'Las contraseñas maestras no coinciden',
    hint: 'Las contraseñas deberían contener al menos una cifra.',
    noDigit: 'No contiene ninguna cifra.',
    rekey: 'Las claves se crean en este navegador. En el primer desbloqueo la persona elige otra contraseña maestra.',
    submit: 'Crear el usuario',
    making: 'Creando las claves',
    created: 'El usuario se ha creado.',
  },

  update: {
    page: 'Editar el usuario',
    name: 'Nombre',
    email: 'Correo electrónico',
    done: 'El usuario se ha modificado',
    failed: 'Se ha producido un error, inténtelo de nuevo',
    loading: 'Cargando el usuario',
    loadFailed: 'No se pudo cargar el usuario.',
    passwordTitle: 'Nueva contraseña de la cuenta',
    passwordText: 'Todas las sesiones y tokens de la persona terminan. La contraseña maestra queda como está.',
    password: 'Contraseña nueva',
    confirmation: 'Repita la contraseña nueva',
    setPassword: 'Establecer la contraseña',
    setting: 'Guardando',
    passwordDone: 'La contraseña de la cuenta se ha cambiado',
    back: 'Todos los usuarios',
  },
};

export const ADMIN_INVITES: Translation<typeof ADMIN_INVITES_TEXTS> = {
  page: 'Invitar',
  email: 'Correo electrónico',
  username: 'Nombre de usuario',
  usernameHint: 'Vacío: lo elige la persona.',
  groups: 'Grupos que compartir',
  groupsHint:
    'Opcional. En cuanto la persona acepte, la página de inicio le recordará a usted que los comparta. Hasta entonces siguen cerrados.',
  addGroup: 'Añadir un grupo',
  add: 'Añadir',
  removeGroup: (title) => `Quitar ${title}`,
  mostGroups: (count) => `${count} grupos como máximo.`,
  theyWill: 'La persona',
  send: 'Enviar la invitación',
  sending: 'Enviando los datos',
  error: 'ERROR DE INVITACIÓN',
  badEmail: 'Escriba una dirección de correo válida.',
  ready: 'Invitación lista',
  wasSent: (email) => `Se envió por correo a ${email} y sirve para registrarse.`,
  notSent: (email) => `No se envió ningún correo a ${email}. Dé usted el enlace a la persona: sirve para registrarse.`,
  withKey:
    'El enlace contiene su clave; por eso la persona invitada confía en lo que usted comparta, sin comparar palabras de claves. Déselo usted a la persona.',
  withoutKey:
    'Desbloquee la bóveda para que el enlace contenga su clave: la persona invitada confiará entonces en lo que usted comparta, sin comparar palabras.',
  once: (time) => `Cópielo ahora; no se volverá a mostrar. Vale una vez, hasta ${time}.`,
  link: 'Enlace de invitación',
  elsewhere: (host) =>
    `Este enlace lleva a ${host}, que no es la dirección de esta página. Transmítalo solo si sabe que esa dirección es de este servidor.`,
  noLink:
    'La respuesta del servidor no es un enlace. No la abra ni la transmita; dígaselo a quienes gestionan el servidor.',
  copy: 'Copiar',
  copied: 'copiado',
  copyFailed: 'El navegador no deja copiar a la página. Seleccione el enlace y cópielo usted.',
  list: 'Invitaciones',
  columns: {
    email: 'Correo electrónico',
    username: 'Nombre de usuario',
    state: 'Estado',
    createdAt: 'Creada',
    expiresAt: 'Válida hasta',
    actions: 'Acciones',
  },
  states: { open: 'abierta', accepted: 'aceptada', revoked: 'revocada', expired: 'caducada' },
  loading: 'Cargando las invitaciones',
  failed: 'No se pudieron cargar las invitaciones.',
  empty: 'Aún no se ha invitado a nadie',
  emptyHint: 'Envíe la primera invitación con el formulario de arriba.',
  resend: (email) => `Enviar una invitación nueva a ${email}`,
  revoke: (email) => `Revocar la invitación de ${email}`,
  revokeTitle: (email) => `¿Revocar la invitación de ${email}?`,
  revokeText: 'Su enlace deja entonces de valer.',
  revokeConfirm: 'Revocar',
  revoking: 'Revocando',
  revoked: (email) => `La invitación de ${email} está revocada`,
};

interface Counts {
  readonly sessions: number;
  readonly tokens: number;
  readonly invitations: number;
}

const countsText = ({ sessions, tokens, invitations }: Counts) =>
  [
    counted(sessions, 'sesión', 'sesiones'),
    counted(tokens, 'token', 'tokens'),
    counted(invitations, 'invitación abierta', 'invitaciones abiertas'),
  ].join(', ');

export const OFFBOARDING: Translation<typeof OFFBOARDING_TEXTS> = {
  page: (name) => `Salida de ${name}`,
  title: 'Salida',
  pageHint:
    'Termina el acceso de esta persona en un solo paso. Puede parar y continuar más tarde; la página muestra lo que falta.',
  back: 'Todos los usuarios',
  loading: 'Cargando el acceso de esta persona',
  failed: 'No se pudo cargar el acceso de esta persona.',
  offline: 'Pase primero a en línea: la salida necesita el servidor.',
  oneself: 'No puede terminar su propio acceso. Pídaselo a otro administrador del sitio.',

  account: 'Cuenta',
  ends: (counts) => `Termina enseguida: ${countsText(counts)}.`,
  endsNothing: 'No queda ninguna sesión, token ni invitación abierta.',
  role: { admin: 'También termina el rol de administrador del sitio.', auditor: 'También termina el rol de auditor.' },
  disable: 'Desactivar la cuenta',
  disableHint: 'Nadie puede iniciar sesión con ella hasta que se reactive. Sus claves quedan.',
  isDisabled: 'La cuenta está desactivada: nadie puede iniciar sesión con ella.',
  backups: 'Los correos sobre copias de seguridad van a esta dirección',
  backupsText: 'Siguen llegando hasta que usted cambie la dirección en la página Copia de seguridad.',
  backupPage: 'Página Copia de seguridad',

  yours: (count) => `Grupos que usted administra (${count})`,
  yoursHint:
    'Se quita a la persona de estos grupos. Cada grupo recibe una clave nueva mientras su bóveda esté desbloqueada.',
  yoursAdmin:
    'En los grupos donde la persona es administradora se le quita primero ese rol. Para ello se pide su contraseña maestra.',
  yoursNone: 'La persona no está en ningún grupo que usted administre.',
  others: (count) => `Grupos que administran otros (${count})`,
  othersHint:
    'Pida a un administrador de cada grupo que quite a la persona. Solo un administrador del grupo puede hacerlo.',
  othersNone: 'La persona no está en ningún otro grupo.',
  columns: { group: 'Grupo', role: 'Rol', state: 'Estado', admins: 'Administradores' },
  states: { left: 'miembro', removed: 'quitado' },
  nobody: 'nadie más',

  submit: 'Terminar el acceso',
  again: 'Continuar',
  submitting: 'Terminando',
  removing: (done, total) => `Quitando del grupo ${Math.min(done + 1, total)} de ${total}`,
  removeAction: (name) => `quitar a ${name} de los grupos donde ambos son administradores`,
  stop: 'Parar',
  ended: (name, counts) => `${name}: terminado ${countsText(counts)}`,
  removed: (name, count) => `Se quitó a ${name} de ${groups(count)}`,

  done: 'Ya no hay ningún acceso que usted pueda terminar',
  doneOthers: (count) => `Esta persona sigue siendo miembro de ${groups(count)} que administran otros.`,
  next: 'Cambie los secretos que esta persona abrió, pues quizá aún los conozca.',
  formerMembers: 'Lo que hay que cambiar',
};
