/** The package of the embedded engine. Its newest release needs Node 22; Node 20 has an older one, which `scripts/prepare.mjs` compiles (ADR 14). */
import { createRequire } from 'node:module';
import type Engine from 'better-sqlite3';

/** Its name. */
export const ENGINE = process.versions.node.startsWith('20.') ? 'better-sqlite3-node20' : 'better-sqlite3';

export const BetterSqlite = createRequire(import.meta.url)(ENGINE) as typeof Engine;
