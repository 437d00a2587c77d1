/**
 * Leaves out of the router what this client never uses: `<BrowserRouter>` has no data router, no framework and no server components, and nothing is
 * prefetched. The package keeps them in one file, tied to what is used, and every visitor of the sign-in page would wait for them.
 */
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Of the matched routes each one is drawn in the one above it. */
const RENDER_MATCHES = `function _renderMatches(matches, parentMatches = []) {
  return matches == null ? null : matches.reduceRight((outlet, match, index) => React2.createElement(
    RenderedRoute,
    {
      match,
      routeContext: { outlet, matches: parentMatches.concat(matches.slice(0, index + 1)), isDataRoute: false },
      children: match.route.Component ? React2.createElement(match.route.Component, null) : match.route.element || outlet
    }
  ), null);
}`;

/** What stands in the file, and what takes its place. */
const CUTS: readonly (readonly [RegExp, string])[] = [
  // Names for development tools: an assignment keeps what it names.
  [/^\w+\.displayName = "\w+";$/gm, ''],
  [/^var (\w+) = (React\d*\.(?:createContext|forwardRef|memo)\()/gm, 'var $1 = /* @__PURE__ */ $2'],
  // Sentences for whoever writes routes.
  [/^( *)warning\(\n[\s\S]*?\n\1\);$/gm, ''],
  [/^( *)invariant\(\n *([^\n]*),\n(?: *\/\/[^\n]*\n)* *[`"][^\n]*\n\1\);$/gm, '$1invariant($2);'],
  // Matches, without what a data router does about loaders and their errors.
  [/^function _renderMatches\([\s\S]*?^\}/gm, RENDER_MATCHES],
  [/dataRouterOpts && dataRouterOpts\.state\.matches\.length \? [\s\S]*? : matchRoutes\(/g, 'matchRoutes('],
  [/^\w+\.contextType = \w+;$/gm, ''],
  [
    /^var (\w+) = class extends (React\d*)\.Component \{([\s\S]*?)^\};$/gm,
    'var $1 = /* @__PURE__ */ (() => class extends $2.Component {$3})();',
  ],
  // What a link would fetch before it is followed.
  [/shouldPrefetch && !isAbsolute \? [\s\S]*? : link;/g, 'link;'],
  [/let \[shouldPrefetch, prefetchRef, prefetchHandlers\] = usePrefetchBehavior\([^)]*\);/g, ''],
  [/^\s*\.\.\.prefetchHandlers,$/gm, ''],
  [/mergeRefs\(forwardedRef, prefetchRef\)/g, 'forwardedRef'],
  // A route of a data router navigates by it.
  [/return isDataRoute \? useNavigateStable\(\) : useNavigateUnstable\(\);/g, 'return useNavigateUnstable();'],
];

/** @throws Error when the package is another one than this was written for */
export function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /react-router\/dist\/(?:development|production)\/chunk-\w+\.mjs$/ },
      handler(code) {
        if (!code.includes('function useNavigateUnstable(')) return null;
        return CUTS.reduce((rest, [part, other]) => {
          const cut = rest.replace(part, other);
          if (cut === rest) throw new Error(`The router has no ${String(part)} any more`);
          return cut;
        }, code);
      },
    },
    // Its own answer to a bundler is the build with warnings.
    resolveId: {
      filter: { id: /^react-router$/ },
      async handler(source, importer) {
        const found = await this.resolve(source, importer, { skipSelf: true });
        return found === null ? null : found.id.replace(join('dist', 'development'), join('dist', 'production'));
      },
    },
  };
}
