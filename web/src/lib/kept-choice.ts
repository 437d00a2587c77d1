/** A choice that holds for this browser: in its storage, or as long as the page where storage is forbidden. No secrets. */
import type { PlainStore } from './plain-store.ts';

export interface KeptChoice<Value> {
  readonly get: () => Value;
  /** @returns whether the browser keeps it beyond this page */
  readonly set: (value: Value) => boolean;
  /** @returns how to stop listening */
  readonly onChange: (listener: () => void) => () => void;
}

/** @param parse null for a text that is no choice: then the default holds */
export function keptChoice<Value extends string | number>(
  name: string,
  fallback: Value,
  parse: (text: string) => Value | null,
  store: () => PlainStore = () => localStorage,
): KeptChoice<Value> {
  const listeners = new Set<() => void>();
  /** Set while the storage refuses it. */
  let held: Value | null = null;

  const kept = () => {
    try {
      const text = store().getItem(name);
      return text === null ? null : parse(text);
    } catch {
      return null;
    }
  };

  return {
    get: () => held ?? kept() ?? fallback,
    set(value) {
      try {
        store().setItem(name, String(value));
        held = null;
      } catch {
        held = value;
      }
      for (const listener of listeners) listener();
      return held === null;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
