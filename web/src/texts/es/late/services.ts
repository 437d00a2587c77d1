/** The Spanish texts of service accounts. They load with their code. */
import { translateMore, type Translation } from '@passwordbroker/core/texts';
import type { SERVICE_TEXTS } from '../../identity/services.ts';

const days = (count: number) => (count === 1 ? '1 día' : `${count} días`);
const groups = (count: number) => (count === 1 ? '1 grupo' : `${count} grupos`);

const SERVICES: Translation<typeof SERVICE_TEXTS> = {
  title: 'Cuentas de servicio',
  hint: 'Cuentas de programas, por ejemplo de un pipeline. Cada una abre los valores de grupos elegidos con un solo secreto, su credencial.',
  siteHint: 'Todas las cuentas de programas de este sitio.',
  off: 'Las cuentas de servicio están desactivadas en este sitio: no pueden iniciar sesión y nadie puede crear una.',
  failed: 'No se pudieron cargar las cuentas de servicio',
  empty: 'No hay cuentas de servicio',
  search: 'Buscar cuentas de servicio',
  searchHint: 'Por nombre, descripción o propietario',
  noneFound: 'Ninguna cuenta de servicio coincide.',
  left: (count, name) =>
    count === 1
      ? `1 cuenta de servicio pertenecía a ${name}. Renueve su credencial o elimínela.`
      : `${count} cuentas de servicio pertenecían a ${name}. Renueve sus credenciales o elimínelas.`,

  states: {
    used: 'en uso',
    unused: (count) => `sin usar desde hace ${days(count)}`,
    fresh: 'todavía sin usar',
    ending: (count) => (count === 0 ? 'termina hoy' : `termina en ${days(count)}`),
    ended: 'terminada',
    disabled: 'desactivada',
    noOwner: 'sin propietario',
    due: 'credencial de un propietario anterior',
  },
  mark: 'servicio',
  readOnly: 'solo lectura',
  owner: (name) => `propietario: ${name}`,
  groups,
  networks: (list) => `solo desde ${list}`,
  credentials: (name) => `Credenciales de ${name}`,
  credentialOf: (time) => `Credencial del ${time}`,
  usedAt: (time, address) => (address === null ? `último uso ${time}` : `último uso ${time} desde ${address}`),
  neverUsed: 'todavía sin usar',
  until: (time) => `termina ${time}`,

  more: (name) => `Más para ${name}`,
  cancel: 'Cancelar',

  add: 'Añadir',
  addTitle: 'Nueva cuenta de servicio',
  addAction: 'crear una cuenta de servicio',
  create: 'Crear',
  creating: 'Creando',
  name: 'Nombre',
  nameHint: 'Los historiales y las listas de miembros lo muestran.',
  description: 'Descripción',
  days: 'Días hasta que termina la credencial',
  daysHint: (most) => `De 1 a ${most}`,
  networksLabel: 'Redes',
  networksHint: 'Direcciones y rangos como 10.0.0.0/8. Sin ninguna, se puede usar desde cualquier lugar.',
  removeNetwork: (network) => `Quitar ${network}`,
  wrongNetwork: (network, reason) => `${network}: ${reason}`,
  groupsLabel: 'Grupos que puede leer',
  groupsHint: 'Grupos que usted administra. Otros se añaden en la pestaña Usuarios de un grupo.',
  addGroup: 'Añadir un grupo',
  chooseGroup: 'Elegir un grupo',
  takeGroup: 'Añadir este grupo',
  removeGroup: (title) => `Quitar ${title}`,

  change: 'Cambiar',
  changeTitle: (name) => `Cambiar ${name}`,
  save: 'Guardar',
  saving: 'Guardando',
  changed: (name) => `Cuenta de servicio ${name} cambiada`,
  disable: 'Desactivada',
  disableHint: 'Los programas que la usan se rechazan hasta que usted la active de nuevo.',

  renew: 'Credencial nueva',
  renewTitle: (name) => `Credencial nueva para ${name}`,
  renewText: (count) =>
    count === 0
      ? 'Recibe claves nuevas: las credenciales actuales terminan de inmediato.'
      : `Recibe claves nuevas: las credenciales actuales terminan de inmediato, usted la añade de nuevo a ${count === 1 ? 'su grupo, que también recibe claves nuevas' : `sus ${count} grupos, que también reciben claves nuevas`}.`,
  renewHint: 'Mientras el programa tenga una credencial válida, «pb service rotate» la sustituye sin interrupción.',
  renewAction: 'crear una credencial nueva',
  onlyOwner: 'Solo puede hacerlo el propietario. Cambie antes el propietario.',
  renewing: 'Creando',

  giveTo: 'Cambiar el propietario',
  giveTitle: (name) => `Propietario de ${name}`,
  giveText: 'El propietario crea credenciales nuevas, cambia y elimina la cuenta.',
  person: 'Buscar una persona',
  take: (name) => `Hacer propietario a ${name}`,
  takeShort: 'Hacer propietario',
  searching: 'Buscando',
  nobody: 'No se encontró a nadie.',
  given: (name, owner) => `${name} pertenece ahora a ${owner}`,

  end: 'Terminar',
  endNamed: (time, name) => `Terminar la credencial de ${name} del ${time}`,
  endTitle: (name) => `¿Terminar una credencial de ${name}?`,
  endText: 'Los programas que la usan se rechazan de inmediato.',
  ending: 'Terminando',
  ended: 'Credencial terminada',

  remove: 'Eliminar',
  removeTitle: (name) => `¿Eliminar ${name}?`,
  removeText: (count) =>
    count === 0
      ? 'Los programas que la usan se rechazan de inmediato.'
      : `Los programas que la usan se rechazan de inmediato. Deja ${count === 1 ? 'su grupo, que recibe claves nuevas' : `sus ${count} grupos, que reciben claves nuevas`}.`,
  removing: 'Eliminando',
  removed: (name) => `Cuenta de servicio ${name} eliminada`,

  made: (name) => `Credencial de ${name}`,
  once: 'Esto se muestra una sola vez. Guárdelo en el almacén de secretos de su CI como PB_SERVICE.',
  copy: 'Copiar la credencial',
  saveFile: 'Guardar como archivo',
  pinsHint: 'Defina también esto: entonces solo cuentan las listas de miembros que su clave avala.',
  copyPins: 'Copiar la línea',
  missed: 'No se pudo añadir a estos grupos. Añádala en su pestaña Usuarios:',
  missedGroup: (title, reason) => `${title}: ${reason}`,
  stored: 'La he guardado',
  done: 'Listo',
};

export const SERVICE_CATALOGUES: Readonly<Record<string, object>> = { services: SERVICES };

/** Before the English ones are loaded. */
export const translateServices = (): void => translateMore(SERVICE_CATALOGUES, (otherwise) => otherwise);
