/** The used part of `localStorage`. Throws if the browser blocks storage. */
export interface PlainStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}
