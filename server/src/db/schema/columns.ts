/** Types of columns on both databases: flags are 0 or 1, times milliseconds since 1970. */

export type Flag = 0 | 1;
export type Millis = number;
