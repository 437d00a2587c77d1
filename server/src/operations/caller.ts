/** Who acts, and from where: what every act writes down. */
import type { Actor, Origin } from '../http/context.ts';

export interface Caller {
  readonly actor: Actor;
  readonly origin: Origin;
}
