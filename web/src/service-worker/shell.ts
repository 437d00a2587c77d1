/**
 * The client's own files in Cache Storage, one cache a build. A build is kept whole or not at all: each file is fetched with the hash that
 * the build wrote down, and one that differs ends the installation. The last build but one stays, for pages that are still open.
 */
import { PrecacheController } from 'workbox-precaching/PrecacheController.js';

interface ShellFile {
  readonly url: string;
  /** null: the name says it. */
  readonly revision: string | null;
  /** `sha384-…` */
  readonly integrity: string;
}

export interface Build {
  /** Of all files together. */
  readonly id: string;
  readonly files: readonly ShellFile[];
}

const PREFIX = 'pb-shell-';
const PAGE = '/index.html';

/** What the browser enforces on the page comes with it. */
const POLICY = 'content-security-policy';

/** After this the kept page is shown: a network that swallows everything shall not keep anybody waiting. */
const PATIENCE_MS = 3000;

interface PageEvent {
  readonly request: Request;
  readonly waitUntil: (work: Promise<void>) => void;
}

export function createShell({ id, files }: Build) {
  const name = PREFIX + id;
  const kept = new PrecacheController({ cacheName: name, fallbackToNetwork: false });
  kept.addToCacheList([...files]);

  /** The server's answer where one comes in time and is no failure of the server, else the kept file, else whatever the server says. */
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

  /** The server may send this build's page under another policy than it once did: the kept one gets it, too. Nothing of the address is kept. */
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
    /** @throws TypeError when a file does not arrive or is not the one of this build: then the former build stays */
    async install(event: ExtendableEvent): Promise<void> {
      const wasThere = await caches.has(name);
      try {
        await kept.install(event);
      } catch (failure) {
        // Half a build is none. One that was there before serves pages.
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

    /** Of this build or of the one before. */
    hashedFile: async (request: Request): Promise<Response> =>
      (await caches.match(new URL(request.url).pathname, { ignoreVary: true })) ?? fetch(request),
  };
}

const patience = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));
