/**
 * Build steps besides bundling: integrity attributes in index.html, and brotli and gzip copies of text files.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(?:js|css|html|svg|json|webmanifest)$/;
const LEAST_BYTES = 256;
/** Encodings of brotli that are tried: which is the smallest depends on the file, by 150 bytes for the sign-in page. */
const { BROTLI_MODE_GENERIC: GENERIC, BROTLI_MODE_FONT: FONT } = constants;
const ENCODINGS = [
  [GENERIC, 0, 0],
  [GENERIC, 19, 0],
  [GENERIC, 0, 1],
  [GENERIC, 19, 2],
  [GENERIC, 0, 8],
  [GENERIC, 17, 4],
  [FONT, 0, 0],
  [FONT, 19, 0],
].map(([mode = 0, block = 0, direct = 0]) => ({
  [constants.BROTLI_PARAM_QUALITY]: 11,
  [constants.BROTLI_PARAM_MODE]: mode,
  [constants.BROTLI_PARAM_LGBLOCK]: block,
  [constants.BROTLI_PARAM_NDIRECT]: direct,
}));

/** From this size on, the others are worth their time. */
const LARGE_BYTES = 64 * 1024;

const smallest = (bytes: Uint8Array): Uint8Array =>
  (bytes.length < LARGE_BYTES ? ENCODINGS.slice(0, 1) : ENCODINGS)
    .map((params) => brotliCompressSync(bytes, { params }))
    .reduce((best, next) => (next.length < best.length ? next : best));

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

const SUMMARY = /^ +summary:\s+(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`),\n/gm;

/** Leaves out the summaries of endpoints, which only the printed API reference reads. */
export function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/core\/src\/contract\/.*\.ts$/.test(id)) return null;
      return { code: code.replaceAll(SUMMARY, ''), map: null };
    },
  };
}

const digestOf = (file: string) => `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}`;

/**
 * Adds `integrity` to every script and style in index.html, and an import map with the digests of modules
 * that load later (docs/spec/threats.md §3.2). All styles are in the one file that index.html links. Imports of
 * `main.ts` in every language begin to load with the page.
 */
export function withIntegrity(): Plugin {
  return {
    name: 'with-integrity',
    apply: 'build',
    enforce: 'post',
    writeBundle(options, bundle) {
      const folder = options.dir ?? '';
      const page = join(folder, 'index.html');
      const modules = Object.values(bundle)
        .filter((file) => file.type === 'chunk')
        .map(({ fileName }) => fileName)
        .toSorted((a, b) => (a < b ? -1 : 1));
      const integrity = Object.fromEntries(modules.map((file) => [`/${file}`, digestOf(join(folder, file))]));
      const start = Object.values(bundle)
        .filter((file) => file.type === 'chunk')
        .find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('web/src/start.tsx')));
      if (start === undefined) throw new Error('No chunk contains start.tsx.');
      const preloads = [start.fileName, ...start.imports].map(
        (file) => `<link rel="modulepreload" href="/${file}">\n    `,
      );
      const html = readFileSync(page, 'utf8')
        .replace(/(?=<script type="module")/, preloads.join(''))
        .replaceAll(
          /<(script|link)\b([^>]*?)\s(src|href)="\/((?:assets\/[^"]+|theme)\.(?:js|css))"([^>]*)>/g,
          (_, tag: string, before: string, attribute: string, file: string, after: string) => {
            // Without `crossorigin` the browser ignores the digest.
            const mode = `${before}${after}`.includes('crossorigin') ? '' : ' crossorigin';
            return `<${tag}${before} ${attribute}="/${file}" integrity="${digestOf(join(folder, file))}"${mode}${after}>`;
          },
        )
        .replace(
          /(?=<script type="module")/,
          `<script type="importmap">${JSON.stringify({ integrity })}</script>\n    `,
        );
      writeFileSync(page, html);
    },
  };
}

/** Writes `.br` and `.gz` copies of larger text files, so that the server need not compress. */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    writeBundle: {
      order: 'post',
      sequential: true,
      handler(options) {
        for (const file of filesBelow(options.dir ?? '')) {
          if (!TEXT.test(file)) continue;
          const bytes = readFileSync(file);
          if (bytes.length < LEAST_BYTES) continue;
          writeFileSync(`${file}.br`, smallest(bytes));
          writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        }
      },
    },
  };
}
