/** What the build does beside bundling: integrity attributes in index.html, and brotli and gzip copies of what compresses. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(?:js|css|html|svg|json|webmanifest)$/;
const LEAST_BYTES = 1024;

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Adds `integrity` to every script and style that index.html names. */
export function withIntegrity(): Plugin {
  return {
    name: 'with-integrity',
    apply: 'build',
    enforce: 'post',
    writeBundle(options) {
      const folder = options.dir ?? '';
      const page = join(folder, 'index.html');
      const digest = (file: string) =>
        `sha384-${createHash('sha384')
          .update(readFileSync(join(folder, file)))
          .digest('base64')}`;
      const html = readFileSync(page, 'utf8').replaceAll(
        /<(script|link)\b([^>]*?)\s(src|href)="\/((?:assets\/[^"]+|theme)\.(?:js|css))"([^>]*)>/g,
        (_, tag: string, before: string, attribute: string, file: string, after: string) =>
          `<${tag}${before} ${attribute}="/${file}" integrity="${digest(file)}"${after}>`,
      );
      writeFileSync(page, html);
    },
  };
}

/** Writes `.br` and `.gz` beside every larger text file, so that the server compresses nothing while it serves. */
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
          writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
          writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        }
      },
    },
  };
}
