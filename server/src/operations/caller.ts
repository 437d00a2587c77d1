import type { Actor, Origin } from '../http/context.ts';

export interface Caller {
  readonly actor: Actor;
  readonly origin: Origin;
}

/** A null actor is the command line. */
export interface Operator {
  readonly actor: Actor | null;
  readonly origin: Origin;
}
