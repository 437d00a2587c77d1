import type { Translation } from '@passwordbroker/core/texts';
import type {
  ACCOUNT_TEXTS,
  FRESH_SIGN_IN_TEXTS,
  PASSWORD_RULE_TEXTS,
  WEAK_PASSWORD_TEXTS,
} from '../identity/account.ts';
import type { NOTICE_TEXTS } from '../notices.ts';

const minutes = (count: number) => (count === 1 ? '1 minuto' : `${count} minutos`);

export const ACCOUNT: Translation<typeof ACCOUNT_TEXTS> = {
  page: 'Cuenta',
  link: (name) => `Cuenta de ${name}`,
  save: 'Guardar',
  saving: 'Guardando',
  tryAgain: 'Reintentar',
  loading: 'Cargando',
  programs: {
    web: 'cliente web',
    cli: 'línea de comandos',
    extension: 'extensión del navegador',
    api: 'otro programa',
  },

  profile: {
    title: 'Nombre y correo',
    name: 'Nombre de usuario',
    email: 'Correo electrónico',
    saved: 'El usuario se ha modificado',
    failed: 'Se ha producido un error, inténtelo de nuevo',
  },
  password: {
    title: 'Contraseña de la cuenta',
    hint: 'Para iniciar sesión. La contraseña maestra se cambia en el menú del candado.',
    current: 'Contraseña actual',
    next: 'Contraseña nueva',
    confirmation: 'Repita la contraseña nueva',
    change: 'Cambiar la contraseña',
    changing: 'Cambiando',
    changed: 'Contraseña de la cuenta cambiada. Todas sus demás sesiones y tokens han terminado.',
    noneHint:
      'Su cuenta no tiene: usted inicia sesión con inicio de sesión único o con una llave de acceso. Con una contraseña también puede iniciar sesión aquí directamente.',
    make: 'Establecer una contraseña',
    made: 'Contraseña de la cuenta establecida. Todas sus demás sesiones y tokens han terminado.',
    empty: 'La contraseña está vacía',
    mismatch: 'La repetición no coincide con la contraseña',
    currentMissing: 'La contraseña es incorrecta',
    remove: 'Eliminar la contraseña',
    removeTitle: '¿Eliminar la contraseña de la cuenta?',
    removeText: (ways) =>
      `Entonces solo iniciará sesión con ${ways.join(' o ')}. Todas sus demás sesiones y tokens terminan.`,
    removeHint:
      'Si lo pierde, un administrador puede dar a la cuenta una contraseña nueva. Su contraseña maestra y su bóveda quedan como están.',
    passkey: 'una llave de acceso',
    removing: 'Eliminando',
    removed: 'Contraseña de la cuenta eliminada. Todas sus demás sesiones y tokens han terminado.',
    cancel: 'Cancelar',
  },
  lock: {
    title: 'Bloqueo y portapapeles',
    hint: 'Cuánto tiempo quedan abiertos los secretos en este navegador mientras usted no está.',
    after: 'Bloquear tras',
    minutes,
    remaskAfter: 'Ocultar los valores mostrados tras',
    remaskHint: 'Un código de un solo uso queda visible mientras la bóveda está desbloqueada, 5 minutos como máximo.',
    clearAfter: 'Vaciar el portapapeles tras',
    clearHint:
      'Después de copiar un secreto. Los programas que guardan un historial del portapapeles aún pueden tenerlo.',
    seconds: (seconds) => (seconds < 60 ? `${seconds} segundos` : minutes(seconds / 60)),
    most: (most) => `Este sitio permite como máximo ${most === 1 ? 'un minuto' : `${most} minutos`}.`,
    notKept: 'Este navegador no guarda la elección; se pierde al cerrar la página.',
  },
  appearance: {
    title: 'Apariencia',
    hint: 'Vale para este navegador.',
    theme: 'Tema',
    themes: { dark: 'Oscuro', light: 'Claro', system: 'Sistema' },
    density: 'Filas',
    densities: { comfortable: 'Cómodas', compact: 'Compactas' },
    dates: 'Fechas',
    dateFormats: { plain: 'Año primero', locale: 'Idioma del navegador' },
    dateExample: (now) => `Ahora: ${now}`,
  },
  language: {
    title: 'Idioma',
    hint: 'Vale para este navegador. Un cambio recarga la página y bloquea la bóveda.',
    choice: 'Idioma de la página',
    system: 'Como el navegador',
    names: { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' },
  },
  serverCrypto: {
    title: 'Contraseña maestra en el servidor',
    hint: 'Este sitio web nunca envía su contraseña maestra al servidor. Otros programas pueden hacerlo, si ni este sitio ni usted lo prohíben.',
    optOut: 'El servidor rechaza mi contraseña maestra',
    optOutHint:
      'Los programas que la envían son rechazados. Puede permitirlo de nuevo en cualquier momento. Este sitio web funciona como antes.',
    optedOut: 'El servidor rechaza su contraseña maestra a partir de ahora',
    optedIn: 'Los programas pueden volver a enviar su contraseña maestra',
    siteOff: 'En este sitio ningún programa puede enviar una contraseña maestra.',
    exposed: (time) => `Su contraseña maestra se usó en el servidor, por última vez ${time}`,
    exposedWhat: 'En ese momento el servidor podía abrir sus claves. Si no fue uno de sus programas, actúe ahora.',
    exposedAdvice:
      'Cambie su contraseña maestra y marque abajo «El servidor rechaza mi contraseña maestra». Las claves copiadas siguen valiendo hasta que un administrador del sitio restablezca las suyas.',
    change: 'Cambiar la contraseña maestra',
  },
  export: {
    title: 'Exportación',
    hint: 'Un archivo con los grupos que puede exportar, para otro programa o para guardarlo.',
    start: 'Exportar todo lo que puedo',
  },
  storage: {
    title: 'Almacenamiento',
    hint: 'Archivos y textos de más de 1 kB que usted ha añadido, con sus versiones anteriores y la papelera.',
    failed: 'No se pudo cargar su almacenamiento.',
    stored: (stored) => `Usted ocupa ${stored}.`,
    storedOf: (stored, quota) => `Usted ocupa ${stored} de ${quota}.`,
  },
  sessions: {
    title: 'Sesiones',
    hint: 'Navegadores en los que tiene la sesión iniciada.',
    failed: 'No se pudieron cargar las sesiones',
    current: 'este navegador',
    at: (address) => `desde ${address}`,
    lastSeen: (time) => `vista por última vez ${time}`,
    until: (time) => `termina ${time}`,
    unknown: 'Navegador desconocido',
    end: 'Terminar',
    endNamed: (what) => `Terminar la sesión de ${what}`,
    ending: 'Terminando',
    ended: 'Sesión terminada',
    endOthers: 'Terminar todas las demás',
    endedOthers: (count) => (count === 1 ? 'Una sesión terminada' : `${count} sesiones terminadas`),
  },
  tokens: {
    title: 'Tokens',
    hint: 'Con un token, un programa inicia sesión en su nombre. También lo tienen los navegadores que inician sesión desde la página de otro servidor.',
    failed: 'No se pudieron cargar los tokens',
    empty: 'No hay tokens',
    current: 'este navegador',
    scopes: (scopes) => scopes.join(', '),
    lastUsed: (time) => `usado por última vez ${time}`,
    until: (time) => `termina ${time}`,
    revoke: 'Revocar',
    revokeNamed: (name) => `Revocar el token ${name}`,
    revoking: 'Revocando',
    revoked: (name) => `Token ${name} revocado`,
    add: 'Token nuevo',
    dialog: 'Token nuevo',
    name: 'Nombre',
    nameHint: 'Sustituye a un token del mismo nombre.',
    days: 'Días hasta el final',
    daysHint: (most) => `de 1 a ${most}`,
    scope: 'Puede',
    scopeNames: { read: 'leer', write: 'escribir', offline: 'cargar la copia sin conexión' },
    create: 'Crear el token',
    creating: 'Creando',
    made: (name) => `Token ${name}`,
    once: 'Cópielo ahora; no se volverá a mostrar. Quien lo tenga puede actuar en su nombre.',
    copy: 'Copiar el token',
    copied: 'copiado',
    done: 'Listo',
    cancel: 'Cancelar',
    noScope: 'Elija lo que puede hacer.',
  },
};

export const PASSWORD_RULE: Translation<typeof PASSWORD_RULE_TEXTS> = {
  rulesUnknown:
    'No se pudieron cargar las reglas de contraseñas de este sitio. No se ha enviado nada. Compruebe la conexión e inténtelo de nuevo.',
  rulesRefused: (reason) =>
    `El servidor no envió sus reglas de contraseñas (${reason.replace(/\.$/, '')}). No se ha enviado nada. Inténtelo de nuevo; si no ayuda, pregunte a quienes gestionan el servidor.`,
  tooShort: (least) => `En este sitio una contraseña necesita al menos ${least} caracteres.`,
  strengthUnknown:
    'Este sitio rechaza las contraseñas fáciles de adivinar, pero este navegador no pudo comprobar la suya. No se ha enviado nada. Inténtelo de nuevo; si no ayuda, recargue la página.',
};

export const WEAK_PASSWORD: Translation<typeof WEAK_PASSWORD_TEXTS> = {
  password: 'La contraseña de su cuenta es más débil de lo que permite este sitio.',
  masterPassword: 'Su contraseña maestra es más débil de lo que permite este sitio.',
  why: 'Elija una más larga, más difícil de adivinar.',
  changePassword: 'Cambiar la contraseña',
  changeMasterPassword: 'Cambiar la contraseña maestra',
};

export const FRESH_SIGN_IN: Translation<typeof FRESH_SIGN_IN_TEXTS> = {
  title: 'Confirme primero su contraseña',
  subtitle: 'Inició sesión hace más de diez minutos. Confirme que es usted y continúe.',
  password: 'Contraseña',
  hint: 'La contraseña con la que inicia sesión, no su contraseña maestra.',
  missing: 'Escriba la contraseña',
  code: 'Código',
  codeHint: 'De su aplicación de autenticación, o un código de recuperación.',
  keyHint: 'Al pulsar Confirmar, su navegador le pide su llave de seguridad o su llave de acceso.',
  waitingForKey: 'Esperando su llave de acceso',
  useKey: 'Usar una llave de seguridad',
  useCode: 'Escribir un código en su lugar',
  confirm: 'Confirmar',
  confirming: 'Confirmando',
  cancel: 'Cancelar',
};

const groups = (count: number) => (count === 1 ? 'un grupo' : `${count} grupos`);

export const NOTICE: Translation<typeof NOTICE_TEXTS> = {
  page: 'Avisos',
  pageHint: 'Lo que ha cambiado en sus grupos, durante 90 días. Los tipos se eligen en la página de su cuenta.',
  toSettings: 'Elegir los tipos',
  list: 'Avisos, los más recientes primero',
  unread: 'Sin leer',
  readAll: 'Marcar todo como leído',
  reading: 'Marcando',
  older: 'Avisos anteriores',
  loading: 'Cargando avisos',
  failed: 'No se pudieron cargar los avisos',
  notRead: 'No se pudieron marcar los avisos como leídos',
  retry: 'Reintentar',
  empty: 'Aún no hay avisos',
  emptyHint: 'Aquí verá quién entró en sus grupos o los dejó, y qué le espera.',
  times: (count) => `${count} veces`,
  somebody: 'Alguien',
  place: (named, count) => {
    const [first, second] = named;
    if (first === undefined) return groups(count);
    if (count === 1) return `«${first}»`;
    if (count === 2 && second !== undefined) return `«${first}» y «${second}»`;
    return `«${first}» y ${count === 2 ? 'otro grupo' : `otros ${count - 1} grupos`}`;
  },
  told: {
    group_added: (place, _who, role) => `Se le añadió a ${place}, como ${role}`,
    group_removed: (place) => `Se le quitó de ${place}`,
    role_changed: (place, _who, role) => `Su rol en ${place} es ahora ${role}`,
    member_joined: (place, who) => `${who} está ahora en ${place}`,
    member_left: (place, who) => `${who} ya no está en ${place}`,
    keys_to_change: (place) => `Se necesitan claves nuevas en ${place}. Este navegador las crea al abrir.`,
  },
  due: (title, count) => {
    if (title === undefined) return 'Las entradas con vencimiento están resueltas, o usted ya no las ve';
    if (count === 1) return `«${title}» vence en dos semanas o ya ha vencido`;
    const others = count === 2 ? 'otra entrada' : `otras ${count - 1} entradas`;
    return `«${title}» y ${others} vencen en dos semanas o ya han vencido`;
  },
  keysChanged: (place) => `Hay claves nuevas en ${place}`,

  settings: {
    title: 'Qué avisos recibe',
    hint: 'La campana de la cabecera los muestra. Los correos no nombran grupos, entradas ni personas.',
    noMail: 'Este sitio no envía correos.',
    kinds: {
      group_added: 'Se le añade a un grupo',
      group_removed: 'Se le quita de un grupo',
      role_changed: 'Cambia su rol en un grupo',
      member_joined: 'Alguien entra en un grupo que usted administra',
      member_left: 'Alguien deja un grupo que usted administra',
      keys_to_change: 'Un grupo que usted administra necesita claves nuevas',
      entries_due: 'Vencen entradas de un grupo que usted administra o modera',
    },
    deliveries: {
      off: 'Desactivado',
      here: 'En la aplicación',
      mail: 'En la aplicación y enseguida por correo',
      digest: 'En la aplicación y en el correo diario',
    },
    hour: 'Correo diario a las',
    hourHint: (zone) => `Zona horaria: ${zone}. Sin novedades no hay correo.`,
    failed: 'No se pudo guardar la elección',
  },
};
