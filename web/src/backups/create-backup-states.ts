/** The button 'Create a new backup' as a table (docs/spec/product.md §4): three seconds pass before the request is made. */

export type CreateBackupState = 'idle' | 'waiting' | 'requesting' | 'sent' | 'failed';

export type CreateBackupEvent =
  | 'press'
  /** The three seconds are over. */
  | 'waited'
  | 'accepted'
  | 'refused'
  /** It has been said for long enough. */
  | 'read';

type Exits = Partial<Record<CreateBackupEvent, CreateBackupState>>;

const CREATE_BACKUP_STATES: Readonly<Record<CreateBackupState, Exits>> = {
  idle: { press: 'waiting' },
  waiting: { waited: 'requesting' },
  requesting: { accepted: 'sent', refused: 'failed' },
  sent: { read: 'idle' },
  failed: { press: 'waiting' },
};

/** An event that a state does not know changes nothing: a second press while one is under way is none. */
export function afterEvent(state: CreateBackupState, event: CreateBackupEvent): CreateBackupState {
  return CREATE_BACKUP_STATES[state][event] ?? state;
}
