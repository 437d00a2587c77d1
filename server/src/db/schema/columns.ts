export type Flag = 0 | 1;
export type Millis = number;
