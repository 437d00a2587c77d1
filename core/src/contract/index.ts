/** Every endpoint by name: the table of contents of the API. */
import * as audit from './audit.ts';
import * as credentials from './credentials.ts';
import * as entries from './entries.ts';
import * as entryGroups from './entry-groups.ts';
import * as fields from './fields.ts';
import * as imports from './import.ts';
import * as operations from './operations.ts';
import * as ownKeys from './own-keys.ts';
import * as people from './people.ts';
import * as session from './session.ts';
import * as site from './site.ts';
import * as system from './system.ts';
import * as users from './users.ts';

export const CONTRACT = {
  'session.csrfCookie': session.csrfCookie,
  'session.me': session.me,
  'session.login': session.login,
  'session.logout': session.logout,
  'session.logoutPost': session.logoutPost,
  'credentials.createToken': credentials.createToken,
  'credentials.tokens': credentials.tokens,
  'credentials.revokeToken': credentials.revokeToken,
  'credentials.sessions': credentials.sessions,
  'credentials.endSession': credentials.endSession,
  'credentials.endOtherSessions': credentials.endOtherSessions,
  'credentials.changePassword': credentials.changePassword,
  'credentials.confirmPassword': credentials.confirmPassword,
  'users.register': users.register,
  'users.certificates': users.certificates,
  'users.keyBundle': users.keyBundle,
  'people.search': people.search,
  'people.get': people.get,
  'people.update': people.update,
  'people.setAdmin': people.setAdmin,
  'people.setDisabled': people.setDisabled,
  'entryGroups.tree': entryGroups.tree,
  'entryGroups.list': entryGroups.listAll,
  'entryGroups.get': entryGroups.get,
  'entryGroups.create': entryGroups.create,
  'entryGroups.rename': entryGroups.rename,
  'entryGroups.move': entryGroups.move,
  'entryGroups.remove': entryGroups.remove,
  'entryGroups.removal': entryGroups.removal,
  'entryGroups.history': entryGroups.history,
  'entryGroups.members': entryGroups.members,
  'entryGroups.roster': entryGroups.roster,
  'entries.list': entries.listAll,
  'entries.get': entries.get,
  'entries.create': entries.create,
  'entries.rename': entries.rename,
  'entries.remove': entries.remove,
  'entries.removeMany': entries.removeMany,
  'entries.wraps': entries.wraps,
  'entries.moveMany': entries.moveMany,
  'entries.move': entries.move,
  'entries.search': entries.search,
  'fields.list': fields.listAll,
  'fields.get': fields.get,
  'fields.create': fields.create,
  'fields.update': fields.update,
  'fields.remove': fields.remove,
  'fields.decrypted': fields.decrypted,
  'fields.envelope': fields.envelope,
  'fields.file': fields.file,
  'fields.history': fields.history,
  'fields.historyDecrypted': fields.historyDecrypted,
  'fields.historyEnvelope': fields.historyEnvelope,
  'fields.historyFile': fields.historyFile,
  'import.importFile': imports.importFile,
  'import.importFileAtRoot': imports.importFileAtRoot,
  'operations.journal': operations.journal,
  'operations.undo': operations.undo,
  'trash.list': operations.trash,
  'trash.ofGroup': operations.groupTrash,
  'trash.restore': operations.restore,
  'trash.purge': operations.purge,
  'ownKeys.replaceSlot': ownKeys.replaceSlot,
  'ownKeys.changeMasterPassword': ownKeys.changeMasterPassword,
  'ownKeys.optOutOfServerCrypto': ownKeys.optOutOfServerCrypto,
  'audit.adminLog': audit.adminLog,
  'audit.list': audit.list,
  'audit.export': audit.exported,
  'audit.verify': audit.verify,
  'site.settings': site.settings,
  'site.changeSettings': site.changeSettings,
  'site.limits': site.limits,
  'site.changeLimits': site.changeLimits,
  'system.setup': system.setup,
  'system.openapi': system.openapi,
  'system.health': system.health,
  'system.ready': system.ready,
} as const;

export type EndpointName = keyof typeof CONTRACT;
