/** The part of `localStorage` that is used; each call throws where the browser keeps nothing for the page. */
export interface PlainStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}
