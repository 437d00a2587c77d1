/** UTC. */
export const RELEASED = '2026-11-21';
