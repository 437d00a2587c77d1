/** A site that gives out the release, and sites that do not (threats W8): one byte, one file more, one file less, another file for who asks otherwise. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../platform/secrets.ts';
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
/** The files change before the server reads their list. */
async function serve(change: () => void = () => {}) {
  change();
  await app.restart();
  origin = await app.listen();
}
/** In all of its forms. */
function write(name: string, content: string) {
  writeFileSync(join(webDir, name), content);
  writeFileSync(join(webDir, `${name}.br`), brotliCompressSync(content));
  writeFileSync(join(webDir, `${name}.gz`), gzipSync(content));
}

test('the release itself', async () => {
  await serve();
  expect(await verify()).toEqual({
    code: EXIT.done,
    said: [`${origin} gives out the 4 files of release 1.2.3.`],
    told: [],
  });
});

test('one file changed, which names others of the release', async () => {
  // What it names as the bundler does, from the root and from where it lies, is in the release.
  const content = `${FILES['assets/page-abc.js']}["assets/main-abc.js","./main-abc.js","/theme.js"]`;
  await serve(() => write('assets/page-abc.js', content));
  expect(await verify()).toEqual({
    code: EXIT.failed,
    said: [`${origin} does not give out release 1.2.3: 1 differences.`],
    told: ['/assets/page-abc.js is not the file of the release.'],
  });
});

test('one byte of the copy that browsers get, the plain file being right', async () => {
  await serve(() => writeFileSync(join(webDir, 'theme.js.br'), brotliCompressSync(`${FILES['theme.js']} `)));
  expect((await verify()).told).toEqual(['/theme.js is not the file of the release.']);
});

test('a file more, which the page names', async () => {
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

test('a file less', async () => {
  await serve(() => {
    for (const name of readdirSync(join(webDir, 'assets'))) {
      if (name.startsWith('page')) rmSync(join(webDir, 'assets', name));
    }
  });
  expect((await verify()).told).toEqual(['/assets/page-abc.js is not there.']);
});

describe('a site in front of it', () => {
  let site: Server;
  afterEach(() => new Promise<void>((resolve) => site.close(() => resolve())));

  async function front(
    change: (path: string, headers: Headers) => { status?: number; body?: string; location?: string },
  ) {
    await serve();
    site = createServer((request, response) => {
      void fetch(origin + request.url).then(async (inner) => {
        const headers = new Headers(inner.headers);
        const { status = inner.status, body = await inner.text(), location } = change(request.url ?? '', headers);
        const policy = headers.get('content-security-policy') ?? '';
        response.writeHead(status, {
          'content-security-policy': policy,
          ...(location === undefined ? {} : { location }),
        });
        response.end(body);
      });
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  }

  test('which lets other scripts run', async () => {
    const url = await front((_, headers) => {
      const policy = headers.get('content-security-policy') ?? '';
      headers.set('content-security-policy', policy.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'"));
      return {};
    });
    const { code, told } = await verify([url]);
    expect(code).toBe(EXIT.failed);
    expect(told.every((line) => line.endsWith('lets more than the client’s own files run.'))).toBe(true);
    expect(told).toHaveLength(2);
  });

  test('which gives out scripts that no release has, or leads elsewhere', async () => {
    const url = await front((path) => {
      if (path === '/theme.js') return { status: 302, location: 'https://evil.example/theme.js', body: '' };
      return /assets\/(?!main|page)/.test(path) ? { status: 200, body: 'alert(1)' } : {};
    });
    const { told } = await verify([url]);
    expect(told).toContain('/theme.js is not there.');
    expect(told.some((line) => /^\/assets\/[\w-]+\.js is not part of the release\.$/.test(line))).toBe(true);
  });
});

test.each([
  'vault.example.org',
  'file:///etc/passwd',
  'https://vault.example.org/path',
  'https://vault.example.org/?q',
])('%s is no site', async (url) => {
  const { code, told } = await verify([url]);
  expect([code, told[0]]).toEqual([EXIT.usage, 'The address is that of the site: https://vault.example.org']);
});

test('what is no list of a release is refused', async () => {
  await serve();
  writeFileSync(manifest, '{"version":"1","files":{"/../x":{}}}');
  const { code, told } = await verify();
  expect([code, told]).toEqual([EXIT.failed, ['There is no list of a release: give --manifest, or build first.']]);
  expect(readFileSync(manifest, 'utf8')).toContain('files');
});
