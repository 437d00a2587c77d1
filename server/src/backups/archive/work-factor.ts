/**
 * The exponent of scrypt's cost, as the age program uses it: 256 MiB and about a second. Files that demand
 * more are refused.
 */
export const WORK_FACTOR = 18;
