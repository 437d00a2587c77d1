/** scrypt's log2(N), as age uses it: 256 MiB and about a second. Higher ones are refused. */
export const WORK_FACTOR = 18;
