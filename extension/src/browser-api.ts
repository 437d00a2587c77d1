/** The used part of the extension API. Chromium and Firefox both answer with promises; no other file names `chrome`. */

/** A page of the browser that the extension may act on. */
export interface BrowserTab {
  readonly id?: number;
  readonly url?: string;
  readonly title?: string;
}

/** Where a message comes from. The browser fills it in. */
export interface Sender {
  /** Of the sending extension. */
  readonly id?: string;
  readonly url?: string;
  readonly tab?: BrowserTab;
  readonly frameId?: number;
}

interface Listeners<Listener> {
  addListener(listener: Listener): void;
  removeListener(listener: Listener): void;
}

export interface RuntimePort {
  readonly name: string;
  readonly sender?: Sender;
  readonly onMessage: Listeners<(message: unknown) => void>;
  readonly onDisconnect: Listeners<() => void>;
  postMessage(message: unknown): void;
  disconnect(): void;
}

interface Injection {
  readonly target: {
    readonly tabId: number;
    readonly frameIds?: readonly number[];
    readonly documentIds?: readonly string[];
  };
  readonly files?: readonly string[];
  readonly func?: (...given: never[]) => unknown;
  readonly args?: readonly unknown[];
}

interface Css {
  readonly target: Injection['target'];
  readonly css: string;
  readonly origin: 'USER';
}

interface Injected {
  readonly frameId: number;
  /** Absent in Firefox. */
  readonly documentId?: string;
  readonly result?: unknown;
}

interface Origins {
  readonly origins: readonly string[];
}

interface ContentScript {
  readonly id: string;
  readonly matches: readonly string[];
  readonly excludeMatches: readonly string[];
  readonly js: readonly string[];
  readonly runAt: 'document_start';
  readonly allFrames: false;
}

export interface Api {
  readonly runtime: {
    readonly id: string;
    readonly onInstalled: Listeners<(details: { readonly reason: string }) => void>;
    /** A listener that returns true answers later. */
    readonly onMessage: Listeners<
      (message: unknown, sender: Sender, answer: (value: unknown) => void) => boolean | undefined
    >;
    readonly onConnect: Listeners<(port: RuntimePort) => void>;
    getURL(path: string): string;
    getManifest(): { readonly version: string };
    sendMessage(message: unknown): Promise<unknown>;
    connect(info: { readonly name: string }): RuntimePort;
    openOptionsPage(): Promise<void>;
    /** Chromium alone. */
    getContexts?(filter: { readonly contextTypes: readonly string[] }): Promise<readonly unknown[]>;
  };
  readonly tabs: {
    query(filter: { readonly active: true; readonly lastFocusedWindow: true }): Promise<readonly BrowserTab[]>;
    get(tabId: number): Promise<BrowserTab>;
    create(tab: { readonly url: string; readonly openerTabId?: number }): Promise<BrowserTab>;
    /** The tab of the calling page. */
    getCurrent(): Promise<BrowserTab | undefined>;
    remove(tabId: number): Promise<void>;
  };
  readonly scripting: {
    executeScript(injection: Injection): Promise<readonly Injected[]>;
    insertCSS(css: Css): Promise<void>;
    removeCSS(css: Css): Promise<void>;
    registerContentScripts(scripts: readonly ContentScript[]): Promise<void>;
    unregisterContentScripts(filter: { readonly ids: readonly string[] }): Promise<void>;
    getRegisteredContentScripts(): Promise<readonly { readonly id: string }[]>;
  };
  readonly permissions: {
    /** Only at a click of the person. */
    request(what: Origins): Promise<boolean>;
    remove(what: Origins): Promise<boolean>;
    getAll(): Promise<{ readonly origins?: readonly string[] }>;
    readonly onAdded: Listeners<(what: { readonly origins?: readonly string[] }) => void>;
    readonly onRemoved: Listeners<(what: { readonly origins?: readonly string[] }) => void>;
  };
  readonly storage: {
    readonly local: {
      get(keys: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
      set(items: Readonly<Record<string, unknown>>): Promise<void>;
    };
    readonly managed: { get(keys: readonly string[]): Promise<Readonly<Record<string, unknown>>> };
  };
  readonly alarms: {
    create(name: string, info: { readonly periodInMinutes: number }): Promise<void>;
    readonly onAlarm: Listeners<(alarm: { readonly name: string }) => void>;
  };
  readonly idle: {
    readonly onStateChanged: Listeners<(state: 'active' | 'idle' | 'locked') => void>;
  };
  readonly action: {
    setBadgeText(badge: { readonly text: string }): Promise<void>;
    openPopup?(): Promise<void>;
  };
  readonly commands: {
    readonly onCommand: Listeners<(command: string, tab?: BrowserTab) => void>;
  };
  /** Chromium alone. */
  readonly offscreen?: {
    createDocument(options: {
      readonly url: string;
      readonly reasons: readonly ('WORKERS' | 'CLIPBOARD')[];
      readonly justification: string;
    }): Promise<void>;
  };
}

const { browser, chrome } = globalThis as { readonly browser?: Api; readonly chrome?: Api };
const found = browser ?? chrome;
if (found === undefined) throw new Error('This file runs in an extension only');
export const api: Api = found;
