import type { Flag, Millis } from './columns.ts';

/** One browser or device of one person. */
export interface UserApplicationTable {
  user_application_id: string;
  user_id: string;
  client_id: string;
  is_offline: Flag;
  copy_fetched_at: Millis | null;
  /** State of the downloaded keys (`offline/key-part.ts`); null: none. */
  key_state: string | null;
  key_fetched_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

/** A download that a delta can continue; its id is the client's cursor. */
export interface OfflineCopyTable {
  copy_id: string;
  user_id: string;
  user_application_id: string | null;
  /** Relevant changes with a lower stamp are in the copy (`db/change-stamp.ts`). */
  stamp: number;
  /** Creation or confirmation. */
  created_at: Millis;
}

/** Period in which an application received a group. Outlives the application, but not the membership. */
export interface OfflineReleaseTable {
  user_id: string;
  entry_group_id: string;
  /** Empty if downloaded without an application. */
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

/** Written only by triggers; one row per group. */
export interface ChangedGroupTable {
  entry_group_id: string;
  /** Any change except of entries. */
  head_stamp: number;
  /** Change that the tree shows. */
  tree_stamp: number;
  /** Created, deleted or restored. */
  whole_stamp: number;
}

/** Written only by triggers: entries changed, with their fields, or moved away. */
export interface ChangedEntryTable {
  entry_group_id: string;
  entry_id: string;
  stamp: number;
}

/** Written only by triggers: a person's role and grants in a group. */
export interface ChangedAccessTable {
  user_id: string;
  entry_group_id: string;
  stamp: number;
  /** Joined or left. */
  whole_stamp: number;
}

/** One row: a stamp that no copy was below. */
export interface ChangeFloorTable {
  id: 1;
  stamp: number;
  noted_at: Millis;
}
