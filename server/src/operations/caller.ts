/** Who acts, and from where: what every act writes down. */
import type { Actor, Origin } from '../http/context.ts';

export interface Caller {
  readonly actor: Actor;
  readonly origin: Origin;
}

/** A site admin, or null: nobody that we know, but whoever has the command line of the machine. */
export interface Operator {
  readonly actor: Actor | null;
  readonly origin: Origin;
}
