/** Applications with local copies, what they were given, and what has changed since. */
import type { Flag, Millis } from './columns.ts';

/** One browser or device of one person. */
export interface UserApplicationTable {
  user_application_id: string;
  user_id: string;
  client_id: string;
  is_offline: Flag;
  copy_fetched_at: Millis | null;
  /** What the keys were that it has fetched (`offline/key-part.ts`); null: none. */
  key_state: string | null;
  key_fetched_at: Millis | null;
  created_at: Millis;
  updated_at: Millis;
}

/** An answer that can be continued: its id is the cursor that the client has. */
export interface OfflineCopyTable {
  copy_id: string;
  user_id: string;
  user_application_id: string | null;
  /** Whatever has a stamp below is in the copy (`db/change-stamp.ts`), or is nothing to it. */
  stamp: number;
  /** Made, or confirmed. */
  created_at: Millis;
}

/** From when until when an application was given what lay in a group. Outlives the application, not the membership. */
export interface OfflineReleaseTable {
  user_id: string;
  entry_group_id: string;
  /** Empty: downloaded without one. */
  user_application_id: string;
  first_at: Millis;
  last_at: Millis;
}

/** Where an entry was before. */
export interface EntryMoveTable {
  entry_id: string;
  left_at: Millis;
  /** 0: it was made there. */
  arrived_at: Millis;
  entry_group_id: string;
}

/** Written by triggers alone; one row a group. */
export interface ChangedGroupTable {
  entry_group_id: string;
  /** Anything but its entries. */
  head_stamp: number;
  /** What a tree shows of it. */
  tree_stamp: number;
  /** Made, deleted, restored: all of it. */
  whole_stamp: number;
}

/** Written by triggers alone: entries that changed, with their fields, or that went from the group. */
export interface ChangedEntryTable {
  entry_group_id: string;
  entry_id: string;
  stamp: number;
}

/** Written by triggers alone: a person's role and grants in a group. */
export interface ChangedAccessTable {
  user_id: string;
  entry_group_id: string;
  stamp: number;
  /** Became a member, or is none any more. */
  whole_stamp: number;
}

/** One row, with `id` 1: a stamp that no copy was below at that time. */
export interface ChangeFloorTable {
  id: 1;
  stamp: number;
  noted_at: Millis;
}
