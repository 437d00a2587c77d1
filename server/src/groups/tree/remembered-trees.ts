/**
 * Trees that were answered, each beside all that was read for it. Nobody is answered from memory before the same has been read again in his own request and
 * is the same, letter by letter: what was committed meanwhile, by whichever process, makes other lines.
 */
import type { Database } from '../../db/database.ts';

interface Remembered {
  /** Lines of the person's own groups, and of those above them. */
  readonly own: string;
  readonly above: string;
  /** The groups above, as they follow from `own`. */
  readonly idsAbove: readonly string[];
  readonly body: Buffer;
}

const MIB = 1024 * 1024;
/** A tree of 5,000 groups takes three, one of a hundred a twentieth of that. */
const MOST_BYTES = 16 * MIB;

export class RememberedTrees {
  readonly #trees = new Map<string, Remembered>();
  readonly #most: number;
  #bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#most = mostBytes;
  }

  find(userId: string): Remembered | undefined {
    return this.#trees.get(userId);
  }

  /** In place of the person's last one. Those that were kept longest go when there is too much; one that is too much by itself is not kept. */
  keep(userId: string, tree: Remembered): void {
    this.#forget(userId);
    this.#trees.set(userId, tree);
    this.#bytes += sizeOf(tree);
    for (const oldest of this.#trees.keys()) {
      if (this.#bytes <= this.#most) break;
      this.#forget(oldest);
    }
  }

  #forget(userId: string): void {
    const tree = this.#trees.get(userId);
    if (tree === undefined) return;
    this.#trees.delete(userId);
    this.#bytes -= sizeOf(tree);
  }
}

/** A letter of a text takes up to two bytes. */
const sizeOf = ({ own, above, body }: Remembered) => 2 * (own.length + above.length) + body.length;

const remembered = new WeakMap<Database['read'], RememberedTrees>();

/** Those of one database, as long as it is open. */
export function rememberedTrees(read: Database['read']): RememberedTrees {
  const known = remembered.get(read) ?? new RememberedTrees();
  remembered.set(read, known);
  return known;
}
