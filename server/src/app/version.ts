/** The version of the product, as in package.json. */
export const VERSION = '1.0.0';
/** The day on which this version was made, UTC. */
export const RELEASED = '2026-11-21';
