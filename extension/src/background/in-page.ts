/** Reads and fills the forms of a tab through the scripts of page/, in its top frame alone. */
import type { Api } from '../browser-api.ts';
import type { PageForms } from '../page/form.ts';
import {
  type FillOrder,
  type FillResult,
  type FormReading,
  MARK_OF_UNCOVERING,
  type ReadOptions,
  UNCOVERING_RULES,
} from '../page/form-types.ts';

type Target = Parameters<Scripting['insertCSS']>[0]['target'];
type Scripting = Pick<Api['scripting'], 'executeScript' | 'insertCSS' | 'removeCSS'>;

export interface InPage {
  /** @returns null if the page cannot be read: no permission, a page of the browser, closed or gone meanwhile */
  read(tabId: number, options?: ReadOptions): Promise<PageRead | null>;
  /** Fills the document that was read. Never rejects: whatever fails is `changed`. */
  fill(tabId: number, documentId: string | null, order: FillOrder): Promise<FillResult>;
}

export interface PageRead {
  readonly reading: FormReading;
  /** null in browsers that have none: there, the mark alone names the document. */
  readonly documentId: string | null;
}

const FORM_SCRIPT = 'form.js';
const CSS = `html{${MARK_OF_UNCOVERING}:1!important}*,*::before,*::after{${UNCOVERING_RULES}}`;

type World = typeof globalThis & { readonly passwordBrokerPage: PageForms };

export function createInPage(scripting: Scripting): InPage {
  /** Runs a function while overlays that let clicks through are seen by hit tests. */
  const uncovered = async <A>(target: Target, func: (argument: A) => unknown, argument: A) => {
    const css = { target, css: CSS, origin: 'USER' } as const;
    await scripting.insertCSS(css);
    try {
      const [injected] = await scripting.executeScript({ target, func, args: [argument] });
      return injected;
    } finally {
      await scripting.removeCSS(css).catch(() => {});
    }
  };
  return {
    read: async (tabId, options = {}) => {
      const target = { tabId, frameIds: [0] };
      try {
        await scripting.executeScript({ target, files: [FORM_SCRIPT] });
        const read = (asked: ReadOptions) => (globalThis as World).passwordBrokerPage.read(asked);
        const injected = await uncovered(target, read, options);
        // The browser answers null for a script that failed.
        const reading = injected?.result as FormReading | null | undefined;
        return reading ? { reading, documentId: injected?.documentId ?? null } : null;
      } catch {
        return null;
      }
    },
    fill: async (tabId, documentId, order) => {
      const target = documentId === null ? { tabId, frameIds: [0] } : { tabId, documentIds: [documentId] };
      try {
        const fill = (filled: FillOrder) => (globalThis as World).passwordBrokerPage.fill(filled);
        const injected = await uncovered(target, fill, order);
        return (injected?.result as FillResult | null | undefined) ?? { result: 'changed' };
      } catch {
        return { result: 'changed' };
      }
    },
  };
}
