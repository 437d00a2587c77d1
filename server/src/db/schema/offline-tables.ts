import type { Flag, Millis } from './columns.ts';

/** A browser or device of one person. */
export interface UserApplicationTable {
  user_application_id: string;
  user_id: string;
  client_id: string;
  is_offline: Flag;
  copy_fetched_at: Millis | null;
  /** See `offline/key-state-repository.ts`. */
  key_state: string | null;
  key_fetched_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

/** A download that a delta can continue; its id is the cursor. */
export interface OfflineCopyTable {
  copy_id: string;
  user_id: string;
  user_application_id: string | null;
  /** See `db/change-stamp.ts`. */
  stamp: number;
  created_at: Millis;
}

/** Period in which an application received a group. Ends with the membership, not the application. */
export interface OfflineReleaseTable {
  user_id: string;
  entry_group_id: string;
  /** Empty without an application. */
  user_application_id: string;
  first_at: Millis;
  last_at: Millis;
}

/** Former group of an entry. */
export interface EntryMoveTable {
  entry_id: string;
  left_at: Millis;
  /** 0: created there. */
  arrived_at: Millis;
  entry_group_id: string;
}

/** Written only by triggers. */
export interface ChangedGroupTable {
  entry_group_id: string;
  /** Any change except of entries. */
  head_stamp: number;
  /** Change that the tree shows. */
  tree_stamp: number;
  /** Created, deleted or restored. */
  whole_stamp: number;
}

/** Written only by triggers: entries changed or moved away. */
export interface ChangedEntryTable {
  entry_group_id: string;
  entry_id: string;
  stamp: number;
}

/** Written only by triggers: role and grants. */
export interface ChangedAccessTable {
  user_id: string;
  entry_group_id: string;
  stamp: number;
  /** Joined or left. */
  whole_stamp: number;
}

/** A stamp that no copy was below. */
export interface ChangeFloorTable {
  id: 1;
  stamp: number;
  noted_at: Millis;
}
