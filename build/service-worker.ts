/** Bundles the service worker last, with the list of built files in it (ADR 9). */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vite';

const SOURCE = join(import.meta.dirname, '..', 'web', 'src', 'service-worker', 'service-worker.ts');
const NAME = 'service-worker.js';

interface ManifestChunk {
  readonly file: string;
  readonly isEntry?: boolean;
}

/** Every file of the client with its digest. `revision` is null if the file name contains a hash. */
function filesOf(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== NAME)
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`${sep}.vite${sep}`) && !/\.(?:br|gz)$/.test(path))
    .toSorted()
    .map((path) => {
      const url = `/${relative(folder, path).split(sep).join('/')}`;
      const digest = createHash('sha384').update(readFileSync(path)).digest();
      const revision = url.startsWith('/assets/') ? null : digest.toString('hex').slice(0, 16);
      return { url, revision, integrity: `sha384-${digest.toString('base64')}` };
    });
}

/**
 * Writes `service-worker.js`. Must run after plugins that change files and before the one that compresses
 * them.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler(options) {
        const folder = options.dir ?? '';
        const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')) as Record<
          string,
          ManifestChunk
        >;
        const entry = Object.values(manifest).find(({ isEntry }) => isEntry === true)?.file;
        if (entry === undefined) throw new Error('The manifest names no entry.');
        const files = filesOf(folder);
        const id = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
        await build({
          entryPoints: [SOURCE],
          outfile: join(folder, NAME),
          bundle: true,
          minify: true,
          format: 'iife',
          platform: 'browser',
          target: 'es2023',
          legalComments: 'none',
          logLevel: 'warning',
          define: {
            BUILD: JSON.stringify({ id, entry: `/${entry}`, files }),
            'process.env.NODE_ENV': '"production"',
          },
        });
      },
    },
  };
}
