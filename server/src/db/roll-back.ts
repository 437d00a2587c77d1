/** Thrown in a transaction to roll it back on purpose. */
export class RollBack extends Error {}
