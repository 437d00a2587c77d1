import type { Translation } from '@passwordbroker/core/texts';
import type { AUDIT_EVENT_TEXTS, AUDIT_NAMES as ENGLISH_NAMES, AuditParts } from '../../admin/audit-events.ts';
import { say, type Sentence } from '../../sentence.ts';

type Details = AuditParts['details'];

export const AUDIT_NAMES: Translation<typeof ENGLISH_NAMES> = {
  server: 'El servidor',
  somebody: 'Alguien',
  loading: '…',
  root: 'el nivel superior',
  ofField: (entry, field) => `${entry} › ${field}`,
  unseen: {
    entry_group: 'un grupo que usted no ve',
    entry: 'una entrada que usted no ve',
    field: 'un campo que usted no ve',
    user: 'una persona eliminada',
  },
  others: {
    backup: 'una copia de seguridad',
    invite: 'una invitación',
    session: 'una sesión',
    site: 'el sitio',
    token: 'un token',
    user_application: 'un navegador',
    export: 'una exportación',
  },
  something: 'algo',
};

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const part = (count: unknown, one: string, many: string) =>
  typeof count === 'number' && count > 0 ? [counted(count, one, many)] : [];
const exported = ({ values }: Details): string => counted(typeof values === 'number' ? values : 0, 'valor', 'valores');
const things = ({ entry_groups: groups, entries, fields }: Details): string =>
  [
    ...part(groups, 'grupo', 'grupos'),
    ...part(entries, 'entrada', 'entradas'),
    ...part(fields, 'campo', 'campos'),
  ].join(', ');
const entryCount = (details: Details) => things(details) || 'entradas';
const withThings = (details: Details) => (things(details) === '' ? '' : ` (${things(details)})`);
const back = (details: Details) => ('undo_of' in details ? ' (deshecho)' : '');
const count = ({ count: n }: Details) => (typeof n === 'number' ? n : 1);
const toGroups = ({ groups }: Details) =>
  typeof groups === 'number' ? ` a ${counted(groups, 'grupo', 'grupos')}` : '';
const isKey = (details: Details) => details['factor'] === 'passkey';
const asRole = (details: Details) => String(details['role'] ?? 'member');
const ofSite = ({ targetType }: AuditParts) =>
  targetType === 'backup'
    ? 'los ajustes de las copias de seguridad'
    : targetType === 'user'
      ? 'sus propios ajustes'
      : 'ajustes del sitio';

function userUpdated({ who, target, details }: AuditParts): Sentence {
  if (details['disabled'] === true) return say`${who}: cuenta de ${target} desactivada`;
  if (details['disabled'] === false) return say`${who}: cuenta de ${target} reactivada`;
  if (details['released'] === true)
    return say`${who}: inicio de sesión de ${target} permitido de nuevo tras intentos fallidos`;
  return target.name === who ? say`${who} modificó su propia cuenta` : say`${who} modificó la cuenta de ${target}`;
}

function keysChanged({ who, details }: AuditParts): Sentence {
  if (details['slot'] === 'password') return say`${who} cambió la contraseña maestra`;
  if (details['slot'] === 'recovery') return say`${who} cambió la clave de emergencia`;
  return say`${who} cambió sus claves`;
}

export const AUDIT_EVENTS: Translation<typeof AUDIT_EVENT_TEXTS> = {
  login: { title: 'Inicio de sesión', says: ({ who }) => say`${who} inició sesión` },
  login_failed: {
    title: 'Inicio de sesión fallido',
    says: ({ who, details }) =>
      details['reason'] === 'address'
        ? say`${who} no pudo iniciar sesión: la red no está permitida`
        : say`${who} no pudo iniciar sesión`,
  },
  logout: { title: 'Cierre de sesión', says: ({ who }) => say`${who} cerró sesión` },
  session_ended: {
    title: 'Sesión terminada',
    says: ({ who, details }) => say`${who} terminó ${counted(count(details), 'sesión', 'sesiones')}`,
  },
  token_created: { title: 'Token creado', says: ({ who }) => say`${who} creó un token` },
  token_revoked: {
    title: 'Token revocado',
    says: ({ who, details, by }) =>
      'user_id' in details ? say`${who} revocó un token de ${by('user_id', 'user')}` : say`${who} revocó un token`,
  },
  password_changed: {
    title: 'Contraseña de la cuenta cambiada',
    says: ({ who }) => say`${who} cambió la contraseña de la cuenta`,
  },
  keys_changed: { title: 'Claves cambiadas', says: keysChanged },
  keys_reset: {
    title: 'Claves restablecidas',
    says: ({ who, target }) => say`${who} restableció las claves de ${target}`,
  },
  key_bundle_released: {
    title: 'Claves selladas obtenidas',
    says: ({ who }) => say`${who} obtuvo sus claves selladas`,
  },
  mp_used_on_server: {
    title: 'Contraseña maestra enviada al servidor',
    says: ({ who }) => say`${who} envió su contraseña maestra al servidor`,
  },
  mp_refused: {
    title: 'Contraseña maestra incorrecta',
    says: ({ who }) => say`${who} envió una contraseña maestra incorrecta al servidor`,
  },
  mass_reveal: {
    title: 'Muchos valores mostrados',
    says: ({ who }) => say`${who} mostró más de 200 valores en diez minutos`,
  },
  user_created: {
    title: 'Cuenta creada',
    says: ({ who, target, hasActor }) =>
      hasActor ? say`${who} creó la cuenta de ${target}` : say`${target} se registró`,
  },
  user_updated: { title: 'Cuenta modificada', says: userUpdated },
  user_admin_changed: {
    title: 'Administrador del sitio cambiado',
    says: ({ who, target, details }) =>
      details['is_admin'] === true
        ? say`${who} dio a ${target} el rol de administrador del sitio`
        : say`${who} quitó a ${target} el rol de administrador del sitio`,
  },
  user_deleted: {
    title: 'Cuenta eliminada',
    says: ({ who, target }) => say`${who} eliminó la cuenta de ${target}`,
  },
  invite_created: {
    title: 'Invitación creada',
    says: ({ who, details }) => say`${who} invitó a una persona${toGroups(details)}`,
  },
  invite_accepted: { title: 'Invitación aceptada', says: ({ who }) => say`${who} aceptó una invitación` },
  invite_revoked: {
    title: 'Invitación revocada',
    says: ({ who, details, by }) =>
      'invited_by' in details
        ? say`${who} revocó una invitación de ${by('invited_by', 'user')}`
        : say`${who} revocó una invitación`,
  },
  group_created: { title: 'Grupo creado', says: ({ who, target }) => say`${who} creó el grupo ${target}` },
  group_renamed: {
    title: 'Grupo renombrado',
    says: ({ who, target, details }) => say`${who} renombró el grupo ${target}${back(details)}`,
  },
  group_moved: {
    title: 'Grupo movido',
    says: ({ who, target, by, details }) =>
      say`${who} movió el grupo ${target}${back(details)}, a ${by('to', 'entry_group')}`,
  },
  group_deleted: {
    title: 'Grupo eliminado',
    says: ({ who, target, details }) => say`${who} eliminó el grupo ${target}${withThings(details)}`,
  },
  role_granted: {
    title: 'Miembro añadido',
    says: ({ who, target, details, by }) =>
      say`${who} añadió a ${by('user_id', 'user')} a ${target}, como ${asRole(details)}`,
  },
  role_changed: {
    title: 'Rol cambiado',
    says: ({ who, target, details, by }) =>
      say`${who} cambió el rol de ${by('user_id', 'user')} en ${target}: ${asRole(details)}`,
  },
  role_removed: {
    title: 'Miembro quitado',
    says: ({ who, target, by }) => say`${who} quitó a ${by('user_id', 'user')} de ${target}`,
  },
  key_rotated: {
    title: 'Clave del grupo renovada',
    says: ({ who, target }) => say`${who} renovó la clave de ${target}`,
  },
  entries_moved: {
    title: 'Entradas movidas',
    says: ({ who, target, details, by }) =>
      say`${who} movió ${entryCount(details)} de ${by('from', 'entry_group')} a ${target}`,
  },
  entries_deleted: {
    title: 'Entradas eliminadas',
    says: ({ who, target, details }) => say`${who} eliminó ${entryCount(details)} de ${target}`,
  },
  restored: {
    title: 'Restaurado',
    says: ({ who, target }) => say`${who} restauró ${target} de la papelera`,
  },
  purged: { title: 'Borrado definitivo', says: ({ who, target }) => say`${who} borró ${target} definitivamente` },
  field_revealed: { title: 'Campo mostrado', says: ({ who, target }) => say`${who} mostró ${target}` },
  imported: {
    title: 'Importado',
    says: ({ who, target, details }) => say`${who} importó ${entryCount(details)} en ${target}`,
  },
  offline_mode_changed: {
    title: 'Uso sin conexión cambiado',
    says: ({ who, details }) =>
      details['status'] === true
        ? say`${who} activó el uso sin conexión en un navegador`
        : say`${who} desactivó el uso sin conexión en un navegador`,
  },
  offline_downloaded: {
    title: 'Copia sin conexión cargada',
    says: ({ who, details }) => say`${who} cargó una copia sin conexión${withThings(details)}`,
  },
  backup_created: { title: 'Copia de seguridad creada', says: ({ who }) => say`${who} creó una copia de seguridad` },
  backup_failed: { title: 'Copia de seguridad fallida', says: () => say`Una copia de seguridad falló` },
  backup_downloaded: {
    title: 'Copia de seguridad descargada',
    says: ({ who }) => say`${who} descargó una copia de seguridad`,
  },
  backup_verified: {
    title: 'Copia de seguridad comprobada',
    says: ({ who, details }) =>
      details['ok'] === false
        ? say`${who} comprobó una copia de seguridad: está dañada`
        : say`${who} comprobó una copia de seguridad`,
  },
  settings_changed: {
    title: 'Ajustes cambiados',
    says: (parts) =>
      'checkup_kept' in parts.details || 'checkup_reopened' in parts.details
        ? say`${parts.who} decidió sobre un punto de la revisión`
        : say`${parts.who} cambió ${ofSite(parts)}`,
  },
  recovered: {
    title: 'Sitio restaurado',
    says: () => say`El sitio se restauró desde una copia de seguridad`,
  },
  access_refused: {
    title: 'Acceso denegado',
    says: ({ who, details }) =>
      count(details) === 1
        ? say`Se denegó el acceso a ${who}`
        : say`Se denegó el acceso a ${who} ${String(count(details))} veces`,
  },
  audit_exported: { title: 'Registro exportado', says: ({ who }) => say`${who} exportó este registro` },
  user_auditor_changed: {
    title: 'Auditor cambiado',
    says: ({ who, target, details }) =>
      details['is_auditor'] === true
        ? say`${who} dio a ${target} el rol de auditor`
        : say`${who} quitó a ${target} el rol de auditor`,
  },
  user_offboarded: {
    title: 'Acceso terminado',
    says: ({ who, target }) => say`${who} terminó el acceso de ${target}`,
  },
  backup_requested: {
    title: 'Copia de seguridad encargada',
    says: ({ who }) => say`${who} encargó una copia de seguridad`,
  },
  entry_created: { title: 'Entrada creada', says: ({ who, target }) => say`${who} creó ${target}` },
  entry_renamed: {
    title: 'Entrada renombrada',
    says: ({ who, target, details }) => say`${who} renombró ${target}${back(details)}`,
  },
  entry_marked: {
    title: 'Etiquetas, icono o vencimiento cambiados',
    says: ({ who, target }) => say`${who} cambió las etiquetas, el icono o el vencimiento de ${target}`,
  },
  template_created: {
    title: 'Tipo de entrada añadido',
    says: ({ who, target }) => say`${who} añadió un tipo de entrada en ${target}`,
  },
  template_changed: {
    title: 'Tipo de entrada cambiado',
    says: ({ who, target }) => say`${who} cambió un tipo de entrada en ${target}`,
  },
  template_deleted: {
    title: 'Tipo de entrada eliminado',
    says: ({ who, target }) => say`${who} eliminó un tipo de entrada en ${target}`,
  },
  entry_moved: {
    title: 'Entrada movida',
    says: ({ who, target, by }) =>
      say`${who} movió ${target} de ${by('from', 'entry_group')} a ${by('to', 'entry_group')}`,
  },
  entry_deleted: { title: 'Entrada eliminada', says: ({ who, target }) => say`${who} eliminó ${target}` },
  field_created: { title: 'Campo creado', says: ({ who, target }) => say`${who} creó ${target}` },
  field_updated: { title: 'Campo cambiado', says: ({ who, target }) => say`${who} cambió ${target}` },
  field_deleted: { title: 'Campo eliminado', says: ({ who, target }) => say`${who} eliminó ${target}` },
  audit_pruned: {
    title: 'Filas antiguas eliminadas',
    says: ({ who }) => say`${who} eliminó filas antiguas de este registro`,
  },
  backup_copied: {
    title: 'Copia de seguridad copiada',
    says: ({ who }) => say`${who} copió una copia de seguridad al segundo lugar`,
  },
  backup_copy_failed: {
    title: 'Error al copiar la copia de seguridad',
    says: () => say`No se pudo copiar una copia de seguridad al segundo lugar`,
  },
  mail_tested: {
    title: 'Correo probado',
    says: ({ who, details }) =>
      details['sent'] === false ? say`${who} probó el correo: no se envió` : say`${who} envió un correo de prueba`,
  },
  roster_signed: {
    title: 'Lista de miembros firmada',
    says: ({ who, target }) => say`${who} firmó la lista de miembros de ${target}`,
  },
  trust_changed: {
    title: 'Confianza cambiada',
    says: ({ who, target, targetType }) =>
      targetType === 'user'
        ? say`${who} confirmó la clave de ${target}`
        : say`${who} confirmó los miembros de ${target}`,
  },
  second_factor_asked: {
    title: 'Segundo factor pedido',
    says: ({ who }) => say`${who} dio la contraseña de la cuenta y se le pidió el segundo factor`,
  },
  second_factor_failed: {
    title: 'Segundo factor incorrecto',
    says: ({ who, details }) =>
      isKey(details)
        ? say`${who} usó una llave de seguridad que no se aceptó`
        : say`${who} dio un código incorrecto del segundo factor`,
  },
  factor_added: {
    title: 'Segundo factor configurado',
    says: ({ who, details }) =>
      isKey(details)
        ? say`${who} añadió una llave de seguridad`
        : say`${who} configuró una aplicación de autenticación`,
  },
  factor_removed: {
    title: 'Segundo factor eliminado',
    says: ({ who, details }) =>
      isKey(details) ? say`${who} eliminó una llave de seguridad` : say`${who} eliminó la aplicación de autenticación`,
  },
  factor_reset: {
    title: 'Segundos factores restablecidos',
    says: ({ who, target }) => say`${who} restableció los segundos factores de ${target}`,
  },
  recovery_codes_made: {
    title: 'Códigos de recuperación creados',
    says: ({ who }) => say`${who} creó códigos de recuperación nuevos`,
  },
  recovery_code_used: {
    title: 'Código de recuperación usado',
    says: ({ who }) => say`${who} usó un código de recuperación`,
  },
  browser_remembered: {
    title: 'Navegador recordado',
    says: ({ who }) => say`En un navegador de ${who} no se pide el segundo factor durante unos días`,
  },
  browser_forgotten: {
    title: 'Navegador olvidado',
    says: ({ who, details }) =>
      say`Se vuelve a pedir el segundo factor a ${who}, en ${counted(count(details), 'navegador', 'navegadores')}`,
  },
  passkey_added: { title: 'Llave de acceso registrada', says: ({ who }) => say`${who} registró una llave de acceso` },
  passkey_renamed: { title: 'Llave de acceso renombrada', says: ({ who }) => say`${who} renombró una llave de acceso` },
  passkey_removed: { title: 'Llave de acceso eliminada', says: ({ who }) => say`${who} eliminó una llave de acceso` },
  unlock_passkey_added: {
    title: 'Llave de acceso que abre la bóveda',
    says: ({ who }) => say`${who} permite que una llave de acceso abra la bóveda`,
  },
  unlock_passkey_removed: {
    title: 'Llave de acceso que ya no abre la bóveda',
    says: ({ who }) => say`${who} ya no permite que una llave de acceso abra la bóveda`,
  },
  sso_linked: {
    title: 'Cuenta vinculada',
    says: ({ who, details }) =>
      say`${who} vinculó su cuenta con ${String(details['provider'] ?? 'un proveedor de identidad')}`,
  },
  sso_unlinked: {
    title: 'Vinculación eliminada',
    says: ({ who, target, targetType }) =>
      targetType === 'user'
        ? say`${who} eliminó la vinculación de ${target} con un proveedor de identidad`
        : say`${who} eliminó la vinculación con un proveedor de identidad`,
  },
  sso_refused: {
    title: 'Inicio de sesión único rechazado',
    says: ({ details }) =>
      say`Se rechazó un inicio de sesión con ${String(details['provider'] ?? 'un proveedor de identidad')}`,
  },
  provider_changed: {
    title: 'Proveedor de identidad cambiado',
    says: ({ who, details }) =>
      say`${who} cambió el proveedor de identidad ${String(details['provider'] ?? 'sin nombre')}`,
  },
  break_glass_changed: {
    title: 'Cuenta de emergencia cambiada',
    says: ({ who, target, details }) =>
      details['status'] === true
        ? say`${who} convirtió a ${target} en cuenta de emergencia`
        : say`${who} terminó la cuenta de emergencia ${target}`,
  },
  break_glass_login: {
    title: 'Cuenta de emergencia usada',
    says: ({ who }) => say`${who} inició sesión con una cuenta de emergencia`,
  },
  recovery_kit_made: {
    title: 'Hoja de emergencia creada',
    says: ({ who }) => say`${who} creó una hoja de emergencia`,
  },
  recovery_kit_removed: {
    title: 'Hoja de emergencia eliminada',
    says: ({ who }) => say`${who} eliminó la hoja de emergencia`,
  },
  recovery_kit_used: {
    title: 'Clave de emergencia usada',
    says: ({ who }) => say`${who} abrió la bóveda con la clave de emergencia y eligió una nueva contraseña maestra`,
  },
  password_removed: {
    title: 'Contraseña de la cuenta eliminada',
    says: ({ who }) => say`${who} eliminó la contraseña de la cuenta`,
  },
  export_started: {
    title: 'Exportación iniciada',
    says: ({ who, details }) => say`${who} inició una exportación de ${entryCount(details)}`,
  },
  export_released: {
    title: 'Valores exportados',
    says: ({ who, details }) => say`${who} exportó ${exported(details)}`,
  },
  export_finished: {
    title: 'Exportación terminada',
    says: ({ who, details }) =>
      details['state'] === 'cancelled'
        ? say`${who} canceló una exportación tras abrir ${exported(details)}`
        : say`${who} terminó una exportación: ${exported(details)}`,
  },
  export_expired: {
    title: 'Exportación caducada',
    says: ({ who, details }) => say`Una exportación de ${who} caducó tras abrir ${exported(details)}`,
  },
  sites_listed: {
    title: 'Reglas de sitio listadas',
    says: ({ who }) => say`${who} listó las reglas de sitio de enlaces`,
  },
  site_rule_changed: {
    title: 'Reglas de sitio cambiadas',
    says: ({ who, target }) => say`${who} cambió dónde se ofrece ${target}`,
  },
  service_created: {
    title: 'Cuenta de servicio creada',
    says: ({ who, target }) => say`${who} creó la cuenta de servicio ${target}`,
  },
  service_changed: {
    title: 'Cuenta de servicio modificada',
    says: ({ who, target }) => say`${who} modificó la cuenta de servicio ${target}`,
  },
  service_deleted: {
    title: 'Cuenta de servicio eliminada',
    says: ({ who, target }) => say`${who} eliminó la cuenta de servicio ${target}`,
  },
  service_credential_added: {
    title: 'Credencial añadida',
    says: ({ who, target }) => say`${who} añadió una credencial de ${target}`,
  },
  service_credential_ended: {
    title: 'Credencial terminada',
    says: ({ who, target }) => say`${who} terminó una credencial de ${target}`,
  },
  service_refused: {
    title: 'Cuenta de servicio rechazada',
    says: ({ who }) => say`${who} fue rechazada: la dirección no está permitida`,
  },
  program_admitted: { title: 'Programa admitido', says: ({ who }) => say`${who} conectó un programa` },
};
