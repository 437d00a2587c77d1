/**
 * Entry of the built server, in syntax for any Node: refuses unsupported versions and enables the
 * compile cache.
 */
'use strict';
const { nodeProblem } = require('../../../scripts/node-versions.cjs');

const problem = nodeProblem(process.versions.node);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
const { enableCompileCache } = require('module');
// Node 22.1 or newer. Without a writable folder nothing is cached; NODE_COMPILE_CACHE names another
// one.
if (enableCompileCache)
  enableCompileCache(process.env.NODE_COMPILE_CACHE || require('path').join(__dirname, '.compile-cache'));
void import('./main.js');
