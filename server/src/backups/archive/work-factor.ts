/** Exponent of scrypt's cost under an archive password: what the age program uses, 256 MiB and about a second. Files that ask for more are refused. */
export const WORK_FACTOR = 18;
