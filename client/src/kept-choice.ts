/** A setting of this device, in memory if storage is blocked. Not for secrets. */
import type { PlainStore } from './platform.ts';

export interface KeptChoice<Value> {
  readonly get: () => Value;
  /** @returns whether it survives a reload */
  readonly set: (value: Value) => boolean;
  /** @returns unsubscribe */
  readonly onChange: (listener: () => void) => () => void;
}

/** @param parse null: invalid, `fallback` applies */
export function keptChoice<Value extends string | number>(
  name: string,
  fallback: Value,
  parse: (text: string) => Value | null,
  store: () => PlainStore,
): KeptChoice<Value> {
  const listeners = new Set<() => void>();
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
