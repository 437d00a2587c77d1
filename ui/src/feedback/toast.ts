/** Short notices, five seconds each (docs/spec/product.md §9). */

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'info' | 'success' | 'danger';
  readonly action: { readonly label: string; readonly onPress: () => void } | null;
}

export const TOAST_MS = 5000;
const MOST = 4;

let toasts: readonly Toast[] = [];
let nextId = 1;
let isClosed = false;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

export function toast(
  text: string,
  options: { readonly tone?: Toast['tone']; readonly action?: NonNullable<Toast['action']> } = {},
): void {
  if (isClosed) return;
  const { tone = 'info', action = null } = options;
  change([...toasts, { id: nextId, text, tone, action }].slice(-MOST));
  nextId += 1;
}

export function dismissToast(id: number): void {
  change(toasts.filter((one) => one.id !== id));
}

/** At logout: hides all, and ignores new ones until `openToasts`. */
export function closeToasts(): void {
  isClosed = true;
  change([]);
}

export function openToasts(): void {
  isClosed = false;
}

export const toastStore = {
  current: () => toasts,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
