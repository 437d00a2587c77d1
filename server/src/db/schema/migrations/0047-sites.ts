/** Site rules of a revision of a link, sealed. The triggers of migration 0005 mark a change of them, as of a wrap. */
import type { Migration } from '../migrate.ts';

export const sites: Migration = {
  name: '0047-sites',
  both: ['alter table field_revisions add column site BYTES'],
};
