/** A connection to a database of this browser: opened when it is first needed, and anew after it has ended. */
import type { DBSchema, IDBPDatabase, OpenDBCallbacks } from 'idb';

type Ends<Shape extends DBSchema> = Pick<OpenDBCallbacks<Shape>, 'blocking' | 'terminated'>;

/**
 * The browser ends connections by itself, for one when what a site keeps is cleared under its open pages; and one lets go of its own where another tab comes with a
 * newer shape. Either way whoever asks next gets another one.
 * @param open with what it is to be told of the connection's end
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
    // A browser that could not open it may be able to later.
    opening.catch(forget);
    return opening;
  };
}
