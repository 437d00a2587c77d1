/** Entry of the built server (`server/dist/main.cjs`), in syntax that every Node reads: it refuses those that are not supported, and keeps compiled code. */
'use strict';
const { nodeProblem } = require('../../scripts/node-versions.cjs');

const problem = nodeProblem(process.versions.node);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
const { enableCompileCache } = require('module');
// Node 22.1 and newer. Where the folder cannot be written nothing is kept; NODE_COMPILE_CACHE names another one.
if (enableCompileCache)
  enableCompileCache(process.env.NODE_COMPILE_CACHE || require('path').join(__dirname, '.compile-cache'));
void import('./main.js');
