/** Builds the client: hashed files, integrity attributes, everything compressed ahead; in development the API is the server's on 8080. */
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { compressed, withIntegrity, withoutSummaries } from '../build/vite-plugins.ts';
import { serviceWorker } from '../build/service-worker.ts';

const API = ['/passwordBroker/api', '/identity/api', '/system/api', '/sanctum', '/import', '/health', '/ready'];

/** All that comes with the sign-in page. In one file it is smaller than in fifteen, and every other page needs it too. */
const SIGN_IN = /web\/src\/start\.tsx$|node_modules\/react-dom\/client\.js$|^\0rolldown\/runtime\.js$/;

/** Imported by `main.ts` at once. It must import nothing that has texts. */
const FIRST = /core\/src\/texts\.ts$|^\0vite\/preload-helper\.js$/;

/** What the keyring worker starts with: one file is smaller than one for each part that also loads something of it. */
const WORKER_START = /client\/src\/browser\/keyring\/serve-keyring\.ts$/;

/** The package names its development build alone, which has the texts of its warnings. */
const ROUTER = fileURLToPath(import.meta.resolve('react-router')).replace('/development/', '/production/');

/** Class names without the line that Vite adds: 170 bytes of the sign-in page. */
const scopedName = (name: string, _file: string, css: string): string =>
  `${name}_${createHash('sha256').update(css).digest('base64url').slice(0, 5)}`;

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [
    react(),
    withoutSummaries(),
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
    withIntegrity(),
    serviceWorker(),
    compressed(),
  ],
  ...(command === 'build' && { resolve: { alias: [{ find: /^react-router$/, replacement: ROUTER }] } }),
  css: { modules: { generateScopedName: scopedName } },
  // The code of Argon2id, which its worker has within itself (`core/src/crypto/argon2/argon2-code.web.ts`).
  assetsInclude: ['**/*.wasm'],
  worker: {
    format: 'es',
    plugins: () => [withoutSummaries()],
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        codeSplitting: { groups: [{ name: 'worker-start', test: WORKER_START, includeDependenciesRecursively: true }] },
      },
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // Nothing is inlined: the content security policy admits files of our own only.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // `withIntegrity` announces what the entry imports.
      // The import loads the part itself.
      resolveDependencies: (file, imports, { hostId }) =>
        /\/index-[^/]*$/.test(hostId) ? [] : imports.filter((part) => part !== file),
    },
    // One file, named by the page: a style that is loaded later cannot have a digest.
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', test: FIRST, priority: 3 },
            // The German texts need it before the English ones are loaded.
            { name: 'sentence', test: /texts\/sentence\.ts$/, priority: 3 },
            // Of the German texts of the page, and of those of imports and exports.
            { name: 'translations', test: /texts\/translations\.ts$/, priority: 3 },
            { name: 'sign-in', test: SIGN_IN, includeDependenciesRecursively: true, priority: 2 },
            { name: 'common', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 2000,
  },
  server: { proxy: Object.fromEntries(API.map((path) => [path, { target: 'http://127.0.0.1:8080' }])) },
}));
