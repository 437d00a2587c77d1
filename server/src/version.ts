/** The version of the product, as in package.json. */
export const VERSION = '0.1.0';
/** The day on which this version was made, UTC. */
export const RELEASED = '2026-11-21';
