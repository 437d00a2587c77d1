/**
 * A site that serves the release, and sites that do not (docs/spec/threats.md §3.2): a changed byte, an extra or
 * missing file, another file for other request headers.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PassThrough, Readable, pipeline } from 'node:stream';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../platform/ids-and-digests.ts';
import { askingOf, compareSite, readRelease } from '../releases/compare-site.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { EXIT } from './command.ts';
import { runCommandLine } from './run.ts';

const MAP = '{"integrity":{"/assets/page-abc.js":"sha384-x"}}';
const FILES = {
  'index.html': `<!doctype html><script type="importmap">${MAP}</script><script type="module" src="/assets/main-abc.js"></script>`,
  'assets/main-abc.js': 'import("./page-abc.js");'.repeat(50),
  'assets/page-abc.js': 'export const page = 1;',
  'theme.js': 'document.documentElement.dataset.theme = "dark";',
} as const;

let app: TestApp;
let webDir: string;
let manifest: string;
let origin: string;
beforeEach(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'passwordbroker-web-'));
  mkdirSync(join(webDir, 'assets'));
  for (const [name, content] of Object.entries(FILES)) {
    writeFileSync(join(webDir, name), content);
    writeFileSync(join(webDir, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(webDir, `${name}.gz`), gzipSync(content));
  }
  const files = Object.fromEntries(
    Object.entries(FILES).map(([name, content]) => {
      const sha256Text = sha256(Buffer.from(content)).toString('hex');
      return [`/${name}`, { size: content.length, sha256: sha256Text }];
    }),
  );
  manifest = join(webDir, '..', `${relative(tmpdir(), webDir)}.json`);
  writeFileSync(manifest, JSON.stringify({ version: '1.2.3', files }));
  app = await startTestApp({ webDir });
});
afterEach(async () => {
  await app.stop();
  rmSync(webDir, { recursive: true });
  rmSync(manifest);
});

async function verify(args: readonly string[] = [origin]) {
  const said: string[] = [];
  const told: string[] = [];
  const code = await runCommandLine(
    ['verify-web', ...args, '--manifest', manifest],
    {},
    {
      say: (line) => void said.push(line),
      tell: (line) => void told.push(line),
      secret: () => Promise.resolve(''),
      knownSecret: () => Promise.resolve(''),
    },
  );
  return { code, said, told };
}
/** `change` alters files before the server reads their list. */
async function serve(change: () => void = () => {}) {
  change();
  await app.restart();
  origin = await app.listen();
}
/** Writes the file and its compressed forms. */
function write(name: string, content: string) {
  writeFileSync(join(webDir, name), content);
  writeFileSync(join(webDir, `${name}.br`), brotliCompressSync(content));
  writeFileSync(join(webDir, `${name}.gz`), gzipSync(content));
}

test('the release itself passes', async () => {
  await serve();
  expect(await verify()).toEqual({
    code: EXIT.done,
    said: [`${origin} gives out the 4 files of release 1.2.3.`],
    told: [],
  });
});

test('a changed file that names files of the release is one difference', async () => {
  // References relative to the root and to the importing file, as the bundler writes them.
  const content = `${FILES['assets/page-abc.js']}["assets/main-abc.js","./main-abc.js","/theme.js"]`;
  await serve(() => write('assets/page-abc.js', content));
  expect(await verify()).toEqual({
    code: EXIT.failed,
    said: [`${origin} does not give out release 1.2.3: 1 differences.`],
    told: ['/assets/page-abc.js is not the file of the release.'],
  });
});

test('a changed byte in the compressed copy of an unchanged file is found', async () => {
  await serve(() => writeFileSync(join(webDir, 'theme.js.br'), brotliCompressSync(`${FILES['theme.js']} `)));
  expect((await verify()).told).toEqual(['/theme.js is not the file of the release.']);
});

test('an extra file that the page names is found', async () => {
  await serve(() => {
    write('assets/evil.js', 'alert(1)');
    write('index.html', `${FILES['index.html']}<script src="/assets/evil.js"></script>`);
  });
  const { code, told } = await verify();
  expect(code).toBe(EXIT.failed);
  expect(told).toContain('/assets/evil.js is not part of the release.');
  expect(told).toContain('/index.html is not the file of the release.');
  expect(told).toContain('/ is not the file of the release.');
});

test('a missing file is found', async () => {
  await serve(() => {
    for (const name of readdirSync(join(webDir, 'assets'))) {
      if (name.startsWith('page')) rmSync(join(webDir, 'assets', name));
    }
  });
  expect((await verify()).told).toEqual(['/assets/page-abc.js is not there.']);
});

describe('a proxy in front of the site', () => {
  let site: Server;
  afterEach(() => {
    site.closeAllConnections();
    return new Promise<void>((resolve) => site.close(() => resolve()));
  });

  type Heads = Record<string, string | string[]>;
  interface Asked {
    readonly path: string;
    readonly encoding: string;
    /** Headers of the real server; tests may change them. */
    readonly heads: Heads;
  }
  interface Changed {
    readonly status?: number;
    readonly body?: string | Readable;
  }

  async function listen(answer: RequestListener) {
    site = createServer(answer);
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  }
  async function front(change: (asked: Asked) => Changed | void) {
    await serve();
    return listen((request, response) => {
      void fetch(origin + request.url).then(async (inner) => {
        const heads: Heads = Object.fromEntries(inner.headers);
        for (const name of ['connection', 'content-encoding', 'content-length', 'keep-alive']) delete heads[name];
        const text = await inner.text();
        const encoding = String(request.headers['accept-encoding']);
        const { status = inner.status, body = text } = change({ path: request.url ?? '', encoding, heads }) ?? {};
        response.writeHead(status, heads);
        if (typeof body === 'string') response.end(body);
        else pipeline(body, response, () => body.destroy());
      });
    });
  }
  const isClient = (path: string) => path === '/' || path.startsWith('/entryGroup/');

  test('passes if it changes nothing', async () => {
    expect(await verify([await front(() => {})])).toMatchObject({ code: EXIT.done, told: [] });
  });

  const policy = ({ heads }: Asked) => String(heads['content-security-policy']);
  test.each<[string, string, (asked: Asked) => void]>([
    [
      'inline scripts',
      'content-security-policy',
      (asked) => {
        const wide = policy(asked).replace("script-src 'self'", "script-src 'self' 'unsafe-inline'");
        asked.heads['content-security-policy'] = wide;
      },
    ],
    [
      'a duplicate directive, of which browsers use the first',
      'content-security-policy',
      (asked) => {
        asked.heads['content-security-policy'] = `script-src * 'unsafe-inline'; ${policy(asked)}`;
      },
    ],
    [
      'a directive that overrides script-src',
      'content-security-policy',
      (asked) => {
        asked.heads['content-security-policy'] = `${policy(asked)}; script-src-elem * 'unsafe-inline'`;
      },
    ],
    [
      'a second policy',
      'content-security-policy',
      (asked) => {
        asked.heads['content-security-policy'] = [policy(asked), "default-src 'self'"];
      },
    ],
    ['no policy', 'content-security-policy', ({ heads }) => void delete heads['content-security-policy']],
    ['no Integrity-Policy', 'integrity-policy', ({ heads }) => void delete heads['integrity-policy']],
    ['another type', 'content-type', ({ heads }) => void (heads['content-type'] = 'text/html; charset=utf-7')],
    ['a redirect', 'refresh', ({ heads }) => void (heads['refresh'] = '0; url=https://evil.example/')],
    [
      'a preload link',
      'link',
      ({ heads }) => void (heads['link'] = '<https://evil.example/x.js>; rel=preload; as=script'),
    ],
    ['speculation rules', 'speculation-rules', ({ heads }) => void (heads['speculation-rules'] = '"/rules.json"')],
  ])('is found if it serves pages with %s in one encoding only', async (_, name, change) => {
    for (const one of ['identity', 'gzip', 'br']) {
      const url = await front((asked) => {
        if (isClient(asked.path) && asked.encoding === one) change(asked);
      });
      const { code, told } = await verify([url]);
      site.closeAllConnections();
      site.close();
      expect([code, told.length, told[0]]).toEqual([
        EXIT.failed,
        2,
        `/ does not come with the header ${name} as the release gives it.`,
      ]);
    }
  });

  test('is found if it serves scripts with another policy', async () => {
    const url = await front(({ path, heads }) => {
      if (path === '/theme.js') heads['content-security-policy'] = "default-src *; script-src * 'unsafe-eval'";
    });
    expect((await verify([url])).told).toEqual([
      '/theme.js does not come with the header content-security-policy as the release gives it.',
    ]);
  });

  test.each(['kdf-worker', 'keyring-worker', 'strength-worker'])(
    'T127 it is found if its %s has the content policy of the page',
    async (name) => {
      const file = `assets/${name}-abc.js`;
      write(file, 'onmessage = () => {};');
      const { version, files } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string; files: object };
      const added = { size: 21, sha256: sha256(Buffer.from('onmessage = () => {};')).toString('hex') };
      writeFileSync(manifest, JSON.stringify({ version, files: { ...files, [`/${file}`]: added } }));
      let isLoose = false;
      let ofPage = '';
      const url = await front((asked) => {
        if (isLoose && asked.path === `/${file}`) asked.heads['content-security-policy'] = ofPage;
      });
      expect((await verify([url])).told).toEqual([]);
      ofPage = (await fetch(`${url}/theme.js`)).headers.get('content-security-policy') ?? '';
      isLoose = true;
      expect((await verify([url])).told).toEqual([
        `/${file} does not come with the header content-security-policy as the release gives it.`,
      ]);
    },
  );

  test('is found if it redirects, although the body is the page of the release', async () => {
    const url = await front(({ path, heads }) => {
      if (!isClient(path)) return {};
      heads['location'] = 'https://evil.example/';
      return { status: 302 };
    });
    const { code, told } = await verify([url]);
    expect([code, told.length, told[0]]).toEqual([EXIT.failed, 2, '/ is not there.']);
    expect(told[1]).toMatch(/^\/entryGroup\/[\w-]+ is not there\.$/);
  });

  test('is found if it serves additional scripts or redirects a script', async () => {
    const url = await front(({ path, heads }) => {
      if (path === '/theme.js') {
        heads['location'] = 'https://evil.example/theme.js';
        return { status: 302, body: '' };
      }
      return /assets\/(?!main|page)/.test(path) ? { status: 200, body: 'alert(1)' } : {};
    });
    const { told } = await verify([url]);
    expect(told).toContain('/theme.js is not there.');
    expect(told.some((line) => /^\/assets\/[\w-]+\.js is not part of the release\.$/.test(line))).toBe(true);
  });

  test.each([
    ['gzip', () => createGzip()],
    ['br', () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['identity', () => new PassThrough()],
  ])(
    'is found if it serves an endless file (%s), of which little more than the expected length is read',
    async (packing, pack) => {
      const url = await front(({ path, encoding, heads }) => {
        if (path !== '/theme.js' || encoding !== packing) return {};
        heads['content-encoding'] = packing;
        return { body: pipeline(Readable.from(zeros()), pack(), () => {}) };
      });
      expect((await verify([url])).told).toEqual(['/theme.js is not the file of the release.']);
      const asking = askingOf(url, { answer: 4_000, all: 4_000 }, 1);
      const given = await asking.ask({ address: '/theme.js', encoding: packing, most: 1_000 });
      asking.end();
      expect(given?.bytes.length).toBeGreaterThan(1_000);
      expect(given?.bytes.length).toBeLessThan(128 * 1024);
    },
  );

  test('is reported as unreadable after a timeout if it answers slowly or not at all', async () => {
    const url = await listen((request, response) => {
      if (request.url === '/theme.js') return;
      const dripping = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(dripping));
    });
    const release = await readRelease(manifest);
    if (release === null) throw new Error('The list is there');
    const start = Date.now();
    const found = await compareSite({ origin: url, connectOrigins: [] }, release, { answer: 200, all: 500 });
    expect(Date.now() - start).toBeLessThan(3_000);
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['unreadable']));
    expect(found.map(({ address }) => address)).toEqual(expect.arrayContaining(Object.keys(release.files)));
  });
});

/** An endless stream, until the reader stops. */
function* zeros() {
  for (;;) yield Buffer.alloc(64 * 1024);
}

test('connect-src origins that are not named by an option are a difference', async () => {
  const open = await startTestApp({ webDir, environment: { CONNECT_ORIGINS: 'https://a.example https://b.example' } });
  try {
    const url = await open.listen();
    const named = ['--connect-origin', 'https://a.example', '--connect-origin', 'https://b.example'];
    expect((await verify([url, ...named])).code).toBe(EXIT.done);
    expect((await verify([url])).told).toContain(
      '/ does not come with the header content-security-policy as the release gives it.',
    );
  } finally {
    await open.stop();
  }
});

test.each([
  'vault.example.org',
  'file:///etc/passwd',
  'https://vault.example.org/path',
  'https://vault.example.org/?q',
])('%s is not a valid site address', async (url) => {
  const { code, told } = await verify([url]);
  expect([code, told[0]]).toEqual([EXIT.usage, 'The address is that of the site: https://vault.example.org']);
});

test('an invalid release list is refused', async () => {
  await serve();
  writeFileSync(manifest, '{"version":"1","files":{"/../x":{}}}');
  const { code, told } = await verify();
  expect([code, told]).toEqual([EXIT.failed, ['There is no list of a release: give --manifest, or build first.']]);
  expect(readFileSync(manifest, 'utf8')).toContain('files');
});
