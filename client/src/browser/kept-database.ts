import type { DBSchema, IDBPDatabase, OpenDBCallbacks } from 'idb';

type Ends<Shape extends DBSchema> = Pick<OpenDBCallbacks<Shape>, 'blocking' | 'terminated'>;

/**
 * Opens the database at first use and again after the connection ended: the site's data was cleared, or
 * another tab needs a newer schema.
 */
export function keptDatabase<Shape extends DBSchema>(
  open: (ends: Ends<Shape>) => Promise<IDBPDatabase<Shape>>,
): () => Promise<IDBPDatabase<Shape>> {
  let present: Promise<IDBPDatabase<Shape>> | null = null;
  return () => {
    if (present !== null) return present;
    const forget = () => {
      if (present === opening) present = null;
    };
    const opening = open({
      terminated: forget,
      blocking: (_version, _blocked, event) => {
        forget();
        (event.target as unknown as { close(): void }).close();
      },
    });
    present = opening;
    // A later attempt to open it may succeed.
    opening.catch(forget);
    return opening;
  };
}
