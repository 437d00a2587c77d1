/**
 * One cache per build, complete or not at all: each file is checked against the hash from the build. The
 * previous
 * build stays for pages that are still open.
 */
import { PrecacheController } from 'workbox-precaching/PrecacheController.js';

interface ShellFile {
  readonly url: string;
  /** null if the name contains it. */
  readonly revision: string | null;
  /** `sha384-…` */
  readonly integrity: string;
}

export interface Build {
  readonly id: string;
  readonly files: readonly ShellFile[];
}

const PREFIX = 'pb-shell-';
const PAGE = '/index.html';

/** Part of the cached page, so that the browser enforces it. */
const POLICY = 'content-security-policy';

/** Then the cached file is used. */
const PATIENCE_MS = 3000;

interface PageEvent {
  readonly request: Request;
  readonly waitUntil: (work: Promise<void>) => void;
}

export function createShell({ id, files }: Build) {
  const name = PREFIX + id;
  const kept = new PrecacheController({ cacheName: name, fallbackToNetwork: false });
  kept.addToCacheList([...files]);

  /** The server's answer if in time and not 5xx; else the cached file; else the server's answer. */
  async function networkFirst(
    request: Request,
    keptAs: string,
    onAnswer?: (answer: Response) => void,
  ): Promise<Response> {
    const asked = fetch(request);
    const inTime = await Promise.race([asked.catch(() => null), patience()]);
    if (inTime !== null && inTime.status < 500) {
      onAnswer?.(inTime);
      return inTime;
    }
    return (await kept.matchPrecache(keptAs)) ?? asked;
  }

  /** If the server now sends this build with another policy. */
  async function renewPolicy(answer: Response): Promise<void> {
    const key = kept.getCacheKeyForURL(PAGE);
    const page = await kept.matchPrecache(PAGE);
    if (!answer.ok || key === undefined || page === undefined) return;
    if (page.headers.get(POLICY) === answer.headers.get(POLICY)) return;
    const text = await page.text();
    if (text !== (await answer.text())) return;
    const headers = new Headers(answer.headers);
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    await (await caches.open(name)).put(key, new Response(text, { headers }));
  }

  return {
    /** @throws TypeError if a file does not load or its hash differs; the former build stays */
    async install(event: ExtendableEvent): Promise<void> {
      const wasThere = await caches.has(name);
      try {
        await kept.install(event);
      } catch (failure) {
        // One that existed before still serves pages.
        if (!wasThere) await caches.delete(name);
        throw failure;
      }
    },

    async dropOlderBuilds(): Promise<void> {
      const others = (await caches.keys()).filter((other) => other.startsWith(PREFIX) && other !== name);
      await Promise.all(others.slice(0, -1).map((other) => caches.delete(other)));
    },

    page: ({ request, waitUntil }: PageEvent) =>
      networkFirst(request, PAGE, (answer) => waitUntil(renewPolicy(answer.clone()))),
    otherFile: (request: Request) => networkFirst(request, new URL(request.url).pathname),

    /** Of this build or the previous one. */
    hashedFile: async (request: Request): Promise<Response> =>
      (await caches.match(new URL(request.url).pathname, { ignoreVary: true })) ?? fetch(request),
  };
}

const patience = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));
