/**
 * Builds the browser extension into extension/dist: an unpacked folder and a zip for Chromium and for Firefox, and a zip
 * of the sources for reviewers. The same tree gives the same bytes. `--unpacked` makes the folders alone,
 * `--out=<folder>` puts them elsewhere, for a test.
 */
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../scripts/run.mjs';

const SOURCE = join(ROOT, 'extension', 'src');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** docs/browser-extension.md says what each is for. */
const PERMISSIONS = ['activeTab', 'alarms', 'clipboardWrite', 'idle', 'scripting', 'storage'];
const OPTIONAL_HOSTS = ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'];
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  'connect-src https: http://localhost:* http://127.0.0.1:*',
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types pb-worker',
].join('; ');

const COMMON = {
  manifest_version: 3,
  name: 'PasswordBroker',
  version,
  description: 'Fills and saves the passwords of your own PasswordBroker server.',
  icons: Object.fromEntries([16, 32, 48, 128].map((size) => [size, `icons/${size}.png`])),
  action: { default_popup: 'popup.html', default_title: 'PasswordBroker' },
  options_ui: { page: 'options.html', open_in_tab: true },
  commands: {
    _execute_action: { suggested_key: { default: 'Ctrl+Shift+Y' } },
    fill: { suggested_key: { default: 'Ctrl+Shift+U' }, description: 'Fill in the sign-in of this page' },
  },
  content_security_policy: { extension_pages: POLICY },
  incognito: 'split',
};

const MANIFESTS = {
  chromium: {
    ...COMMON,
    background: { service_worker: 'background.js', type: 'module' },
    permissions: [...PERMISSIONS, 'offscreen'],
    optional_host_permissions: OPTIONAL_HOSTS,
    minimum_chrome_version: '120',
    storage: { managed_schema: 'managed-schema.json' },
  },
  firefox: {
    ...COMMON,
    // Firefox has no split mode.
    incognito: 'not_allowed',
    background: { scripts: ['background.js'], type: 'module' },
    permissions: PERMISSIONS,
    optional_host_permissions: OPTIONAL_HOSTS,
    browser_specific_settings: {
      gecko: {
        id: 'extension@passwordbroker',
        strict_min_version: '140.0',
        data_collection_permissions: { required: ['authenticationInfo'] },
      },
    },
  },
};

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'browser',
  target: 'es2023',
  format: 'esm',
  jsx: 'automatic',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
};

/** Argon2id's code lies within its worker. */
const argon2Inside = {
  name: 'argon2 inside',
  setup(made) {
    made.onResolve({ filter: /\.wasm\?inline$/ }, async ({ path, resolveDir, kind }) =>
      made.resolve(path.replace(/\?inline$/, ''), { resolveDir, kind }),
    );
  },
};

/** Only the English strings of React Aria: those that people read are ours. */
const locales = optimizeLocales.esbuild({ locales: ['en-US'] });

/** Pages that people see, made from page.html. */
const PAGES = ['popup', 'options', 'unlock'];
/** Pages and workers share chunks. */
const MODULES = [
  'keeper/keeper.ts',
  'keeper/keyring-worker.ts',
  'keeper/kdf-worker.ts',
  ...PAGES.map((page) => `${page}/${page}.tsx`),
];
/** What runs in pages of others: one file each, a script without imports. */
const IN_PAGES = ['page/form.ts', 'page/watch-saves.ts'];

const entries = (files) => files.map((file) => ({ in: join(SOURCE, file), out: /([^/]+)\.tsx?$/.exec(file)[1] }));

async function bundle(target, outdir) {
  const options = {
    ...OPTIONS,
    outdir,
    loader: { '.wasm': 'dataurl', '.woff2': 'file' },
    assetNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
  };
  const background =
    target === 'firefox' ? [{ in: join(SOURCE, 'background/background-page.ts'), out: 'background' }] : [];
  const { metafile } = await build({
    ...options,
    entryPoints: [...entries(MODULES), ...background],
    splitting: true,
    metafile: true,
    plugins: [argon2Inside, locales],
  });
  gatherStyles(outdir);
  writePages(metafile, outdir);
  // A service worker cannot import later.
  if (target === 'chromium') await build({ ...options, entryPoints: entries(['background/background.ts']) });
  await build({ ...options, entryPoints: entries(IN_PAGES), format: 'iife' });
}

/** Styles of what the pages import later go into the one file that each page links. */
function gatherStyles(outdir) {
  const assets = join(outdir, 'assets');
  const later = readdirSync(assets).filter((name) => name.endsWith('.css'));
  for (const page of PAGES)
    for (const name of later.toSorted()) appendFileSync(join(outdir, `${page}.css`), readFileSync(join(assets, name)));
  for (const name of later) rmSync(join(assets, name));
}

/** Links with `modulepreload`: the browser loads all scripts of a page at once. */
function writePages({ outputs }, outdir) {
  const html = readFileSync(join(SOURCE, 'page.html'), 'utf8');
  const byPath = Object.fromEntries(Object.entries(outputs).map(([path, output]) => [join(ROOT, path), output]));
  for (const page of PAGES) {
    const wanted = new Set();
    const add = (path) => {
      if (wanted.has(path)) return;
      wanted.add(path);
      for (const { path: next, kind } of byPath[path].imports) if (kind === 'import-statement') add(join(ROOT, next));
    };
    const first = join(outdir, `${page}.js`);
    add(first);
    // Its screens: the one import that comes later and is no language.
    for (const { path, kind } of byPath[first].imports)
      if (kind === 'dynamic-import' && byPath[join(ROOT, path)].entryPoint?.startsWith(`extension/src/${page}/`))
        add(join(ROOT, path));
    wanted.delete(first);
    const preloads = [...wanted].map((path) => relative(outdir, path).split(sep).join('/')).toSorted();
    const links = preloads.map((path) => `<link rel="modulepreload" href="${path}" />`);
    writeFileSync(
      join(outdir, `${page}.html`),
      html.replaceAll('{page}', page).replace('{preloads}', links.join('\n    ')),
    );
  }
}

/** @param change of the manifest, for a test */
async function unpack(target, folder, change = (manifest) => manifest) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(ROOT, 'extension', 'public'), folder, { recursive: true });
  await bundle(target, folder);
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(change(MANIFESTS[target]), null, 2)}\n`);
}

/** Any fixed time: files of a zip have one. */
const TIME = new Date(2026, 0, 1);

/** @param files path in the zip → path on the disk */
async function pack(files, target) {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, extendedTimestamp: false, level: 9 });
  for (const [name, path] of files.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await zip.add(name, new Uint8ArrayReader(readFileSync(path)), { lastModDate: TIME });
  writeFileSync(target, await zip.close());
}

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(folder, path).split(sep).join('/'), path]);

/**
 * Unpacked folders `chromium` and `firefox` in `out`, and unless `unpackedOnly` the zips.
 * @param {{ out?: string, unpackedOnly?: boolean, targets?: string[], change?: (manifest: object) => object }} options
 */
export async function buildExtension({
  out = join(ROOT, 'extension', 'dist'),
  unpackedOnly = false,
  targets = Object.keys(MANIFESTS),
  change,
} = {}) {
  for (const target of targets) {
    const folder = join(out, target);
    await unpack(target, folder, change);
    if (!unpackedOnly) await pack(filesBelow(folder), join(out, `passwordbroker-${target}-${version}.zip`));
  }
  if (unpackedOnly) return;
  const sources = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  const needed = sources.filter((path) => /^(?:(?:build|client|core|extension|scripts|ui)\/|[^/]+$)/.test(path));
  await pack(
    needed.map((path) => [path, join(ROOT, path)]),
    join(out, `passwordbroker-source-${version}.zip`),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const out = process.argv.find((argument) => argument.startsWith('--out='))?.slice('--out='.length);
  const target = process.argv.find((argument) => argument.startsWith('--target='))?.slice('--target='.length);
  await buildExtension({
    ...(target !== undefined && { targets: [target] }),
    ...(out !== undefined && { out }),
    unpackedOnly: process.argv.includes('--unpacked'),
  });
}
