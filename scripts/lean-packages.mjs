/** How packages of the server become quick to start with. Part of `build.mjs`. */
import { readFileSync } from 'node:fs';

/** The text of a file with another one in place of a part of it, which has to be there as it was when this was written. */
function replaced(path, part, other, contents = readFileSync(path, 'utf8')) {
  if (!contents.includes(part)) throw new Error(`${path} has no '${part}' any more`);
  return contents.replace(part, other);
}

/** Of packages, what this server never uses, or not at its start, and what would take its time at every start. */
export const LEAN_PACKAGES = {
  name: 'lean-packages',
  setup(build) {
    // The one file of it that is no text; it is looked for in a dozen places otherwise.
    const addon = 'better-sqlite3/build/Release/better_sqlite3.node';
    build.onLoad({ filter: /node_modules\/better-sqlite3\/lib\/database\.js$/ }, ({ path }) => ({
      contents: replaced(path, "require('bindings')('better_sqlite3.node')", `require('${addon}')`),
    }));
    // The contract has schemas of its own, and the log goes nowhere but to the output.
    const unused = /^(@fastify\/(ajv|fast-json-stringify)-compiler|\.\/(lib\/)?transport)$/;
    build.onResolve({ filter: unused }, ({ path, importer }) =>
      path.startsWith('@') || /node_modules\/pino\//.test(importer) ? { path, namespace: 'unused' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = undefined;' }));
    // Which version fits which is settled by the lockfile.
    build.onLoad({ filter: /node_modules\/semver\/index\.js$/ }, () => ({
      contents: 'module.exports = { satisfies: () => true, coerce: () => null, gt: () => false };',
    }));
    // Multipart is read when it comes.
    build.onLoad({ filter: /node_modules\/@fastify\/multipart\/index\.js$/ }, ({ path }) => {
      const withoutParser = replaced(path, "const Busboy = require('@fastify/busboy')", '');
      return { contents: replaced(path, 'new Busboy(', "new (require('@fastify/busboy'))(", withoutParser) };
    });
    // A dynamic import of CommonJS loses the names in it.
    build.onLoad({ filter: /node_modules\/@fastify\/cookie\/index\.js$/ }, ({ path }) => ({
      contents: replaced(path, "await import('cookie')", "require('cookie')"),
    }));
    // The router writes a function for each route and each part of a path, most of them the same again: each is compiled once, and a beginning is compared.
    build.onLoad({ filter: /node_modules\/find-my-way\/lib\/handler-storage\.js$/ }, ({ path }) => {
      const kept = `const kept = new Map()
        const functionOf = (name, body) => kept.get(body) ?? kept.set(body, new Function(name, body)).get(body)\n`;
      const once = (contents, name) => replaced(path, `new Function('${name}', `, `functionOf('${name}', `, contents);
      return { contents: kept + ['NullObject', 'derivedConstraints'].reduce(once, readFileSync(path, 'utf8')) };
    });
    build.onLoad({ filter: /node_modules\/find-my-way\/lib\/node\.js$/ }, ({ path }) => {
      const written = "new Function('path', 'i', `'use strict'\\nreturn ${lines.join(' && ')}`)";
      return { contents: replaced(path, written, '(path, i) => path.startsWith(prefix, i)') };
    });
    // TLS is the proxy's.
    build.onLoad({ filter: /node_modules\/fastify\/lib\/server\.js$/ }, ({ path }) => {
      const lazily = (contents, name) => {
        const calls = ['createServer', 'createSecureServer'];
        const lazy = calls.map((call) => `${call}: (...given) => require('node:${name}').${call}(...given)`);
        return replaced(
          path,
          `const ${name} = require('node:${name}')`,
          `const ${name} = { ${lazy.join(', ')} }`,
          contents,
        );
      };
      return { contents: ['https', 'http2'].reduce(lazily, readFileSync(path, 'utf8')) };
    });
  },
};
