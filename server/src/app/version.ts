/** As in package.json. */
export const VERSION = '1.0.0';
/** UTC. */
export const RELEASED = '2026-11-21';
