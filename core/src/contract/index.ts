/** Every endpoint by name: the table of contents of the API. */
import * as entries from './entries.ts';
import * as entryGroups from './entry-groups.ts';
import * as fields from './fields.ts';
import * as imports from './import.ts';
import * as session from './session.ts';
import * as system from './system.ts';
import * as users from './users.ts';

export const CONTRACT = {
  'session.csrfCookie': session.csrfCookie,
  'session.me': session.me,
  'session.login': session.login,
  'session.logout': session.logout,
  'session.logoutPost': session.logoutPost,
  'users.register': users.register,
  'users.certificates': users.certificates,
  'users.keyBundle': users.keyBundle,
  'entryGroups.tree': entryGroups.tree,
  'entryGroups.list': entryGroups.listAll,
  'entryGroups.get': entryGroups.get,
  'entryGroups.create': entryGroups.create,
  'entryGroups.members': entryGroups.members,
  'entryGroups.roster': entryGroups.roster,
  'entries.list': entries.listAll,
  'entries.get': entries.get,
  'entries.create': entries.create,
  'entries.search': entries.search,
  'fields.list': fields.listAll,
  'fields.get': fields.get,
  'fields.create': fields.create,
  'fields.decrypted': fields.decrypted,
  'fields.envelope': fields.envelope,
  'fields.file': fields.file,
  'fields.history': fields.history,
  'fields.historyDecrypted': fields.historyDecrypted,
  'fields.historyEnvelope': fields.historyEnvelope,
  'fields.historyFile': fields.historyFile,
  'import.importFile': imports.importFile,
  'import.importFileAtRoot': imports.importFileAtRoot,
  'import.undo': imports.undo,
  'system.setup': system.setup,
  'system.openapi': system.openapi,
  'system.health': system.health,
  'system.ready': system.ready,
} as const;

export type EndpointName = keyof typeof CONTRACT;
