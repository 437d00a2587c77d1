import type { Translation } from '@passwordbroker/core/texts';
import type { ADMIN_PROVIDERS_TEXTS } from '../../admin/providers.ts';

const accounts = (count: number) => (count === 1 ? '1 cuenta está' : `${count} cuentas están`);

export const ADMIN_PROVIDERS: Translation<typeof ADMIN_PROVIDERS_TEXTS> = {
  hint: 'En lugar de una contraseña de cuenta aquí, las personas inician sesión en un proveedor de identidad de su organización.',
  opensNothing:
    'El inicio de sesión único dice quién es usted. Su bóveda se abre con su contraseña maestra o con una de sus llaves de acceso.',
  loading: 'Cargando los proveedores de identidad',
  failed: 'No se pudieron cargar los proveedores de identidad.',
  none: 'No hay ningún proveedor de identidad configurado',
  noneHint:
    'Quien gestiona este servidor añade uno en su entorno con OIDC_PROVIDERS. El manual de operación dice cómo.',

  on: 'Activado',
  off: 'Desactivado',
  linked: (count) => `${accounts(count)} ${count === 1 ? 'vinculada' : 'vinculadas'}`,
  sessions: (count) => (count === 1 ? '1 sesión empezó allí' : `${count} sesiones empezaron allí`),
  noSecret: 'Sin secreto de cliente',
  fixed: 'Fijado en el entorno del servidor.',
  enabled: 'Las personas pueden iniciar sesión con él',
  endsSessions: (count) =>
    `${count === 1 ? '1 sesión que empezó allí termina' : `${count} sesiones que empezaron allí terminan`} al guardar.`,
  sessionHours: 'Sesión más larga (horas)',
  sessionHoursHint: 'Si el límite del sitio es más corto, vale ese.',
  createAccounts: 'Las personas nuevas reciben una cuenta en el primer inicio de sesión',
  createAccountsHint: 'Necesita abajo dominios o grupos. Si no, las personas necesitan una invitación.',
  allowedDomains: 'Dominios de cuentas nuevas',
  allowedDomainsHint:
    'Uno por línea, por ejemplo example.org. Las personas nuevas necesitan allí una dirección de correo. Vacío: todos.',
  allowedGroups: 'Grupos que pueden iniciar sesión',
  allowedGroupsHint:
    'Uno por línea, como los nombra el proveedor de identidad. Se comprueba en cada inicio de sesión. Vacío: todos.',
  groupsClaim: 'Dónde están los grupos',
  groupsClaimHint: 'El nombre del claim en el que el proveedor de identidad los enumera.',
  secondFactor: 'Segundo factor',
  secondFactorHint: 'Quién lo pide.',
  secondFactorChoices: { ours: 'Este sitio', provider: 'El proveedor de identidad' },
  acceptedAcr: 'Valores de acr que cuentan',
  acceptedAmr: 'Valores de amr que cuentan',
  acceptedHint: 'Uno por línea. Con ellos su respuesta dice que pidió un segundo factor; si no, lo pide este sitio.',

  logoutThere: 'Quien cierra sesión aquí la cierra también allí',
  logoutThereHint: (address) =>
    `El navegador va a la página de cierre de sesión del proveedor de identidad, que para volver debe conocer esta dirección: ${address}`,
  backChannel: 'El proveedor de identidad termina sesiones',
  backChannelHint: (address) =>
    `Quien cierra sesión allí pierde también las sesiones de aquí. Dirección para el cierre de sesión por canal trasero: ${address}`,

  test: 'Probar',
  testNamed: (name) => `Probar ${name}`,
  testing: 'Probando',
  good: (name) => `${name} responde, y no falta nada.`,
  bad: (name) => `${name} aún no se puede usar`,

  local: {
    title: 'Contraseñas de cuenta y llaves de acceso',
    choice: 'Inicio de sesión junto a los proveedores de identidad',
    hint: 'Si las personas pueden iniciar sesión también aquí, con contraseña de cuenta o llave de acceso.',
    choices: { allowed: 'Permitido', to_link: 'Solo para vincular una cuenta', off: 'Desactivado' },
    allowed: 'Cada persona elige cómo inicia sesión.',
    toLink: (count) =>
      `Las personas cuya cuenta no está vinculada solo pueden vincularla. Sin vincular ahora: ${count}.`,
    off: 'Solo las cuentas de emergencia pueden iniciar sesión aquí. Las sesiones de otros que empezaron aquí terminan enseguida.',
    isOff: (unlinked, all) =>
      `${unlinked} de ${all === 1 ? '1 cuenta' : `${all} cuentas`} ${unlinked === 1 ? 'no está vinculada y no puede' : 'no están vinculadas y no pueden'} iniciar sesión.`,
    tokens: (count) =>
      count === 1
        ? '1 token sigue siendo válido. Está en la página Tokens.'
        : `${count} tokens siguen siendo válidos. Están en la página Tokens.`,
    show: 'Mostrar estas cuentas',
    needs: 'Lo que necesita «Desactivado»',
    met: 'Hecho',
    missing: 'Falta',
    signedIn: 'Usted ha iniciado sesión con un proveedor de identidad. Así sabe que funciona.',
    notSignedIn:
      'Usted no ha iniciado sesión con un proveedor de identidad. Cierre sesión, iníciela de nuevo con un proveedor de identidad y vuelva. Entonces sabrá que funciona.',
    hasBreakGlass: 'Una cuenta de emergencia puede iniciar sesión también si falla el proveedor de identidad.',
    noBreakGlass:
      'No hay ninguna cuenta de emergencia. Designe una abajo: puede iniciar sesión también si falla el proveedor de identidad.',
    question: '¿Desactivar las contraseñas de cuenta y las llaves de acceso?',
    confirm: 'Desactivar',
    confirming: 'Desactivando',
    type: (count) => `Escriba ${count} para confirmar`,
    overruled: {
      LOCAL_SIGN_IN:
        'El servidor funciona con LOCAL_SIGN_IN=allowed: todas las personas pueden iniciar sesión aquí, sea lo que sea lo elegido abajo. Quítelo después de la emergencia.',
      'no provider':
        'No hay ningún proveedor de identidad configurado: todas las personas pueden iniciar sesión aquí, sea lo que sea lo elegido abajo.',
    },
  },

  breakGlass: {
    title: 'Cuentas de emergencia',
    hint: 'Administradores del sitio que siempre pueden iniciar sesión aquí, para el día en que falle el proveedor de identidad. Designe dos. Si se usa una mientras otros no pueden iniciar sesión aquí, todos los administradores del sitio reciben un correo.',
    how: 'Designe una en la lista de usuarios: en el menú de un administrador del sitio con contraseña de cuenta y segundo factor.',
    users: 'Abrir los usuarios',
    none: 'No hay cuentas de emergencia',
    failed: 'No se pudieron cargar las cuentas de emergencia.',
    ready: 'Lista',
    notReady: 'No cuenta',
    lacks: {
      disabled: 'La cuenta está desactivada',
      admin: 'Ya no es administrador del sitio',
      password: 'Sin contraseña de cuenta',
      factor: 'Sin segundo factor',
    },
    end: 'Terminar',
    endNamed: (name) => `Terminar la cuenta de emergencia ${name}`,
  },

  links: {
    title: 'Proveedores de identidad vinculados',
    hint: 'Si la persona tiene allí una identidad nueva, elimine la vinculación. En el próximo inicio de sesión podrá vincular la cuenta de nuevo.',
    failed: 'No se pudieron cargar las vinculaciones.',
    linkedAs: (address) => `vinculada como ${address}`,
    since: (time) => `desde ${time}`,
    lastUsed: (time) => `usada por última vez ${time}`,
    neverUsed: 'aún sin usar',
    end: 'Eliminar la vinculación',
    endNamed: (name) => `Eliminar la vinculación con ${name}`,
    question: (user, name) => `¿Eliminar la vinculación de ${user} con ${name}?`,
    text: (user) => `Las sesiones de ${user} que empezaron allí terminan.`,
    onlyWay: (user) =>
      `${user} no tiene contraseña de cuenta. Dé primero una a la cuenta: sin una llave de acceso que inicie sesión, nadie podría volver a entrar en ella.`,
    ending: 'Eliminando',
    ended: (user, name) => `${user} ya no está vinculado con ${name}`,
  },
};
