/** Thrown to undo a transaction that has done what it was for. */
export class RollBack extends Error {}
