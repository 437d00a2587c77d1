/**
 * The SQLite package for this Node version: Node 20 needs an older one, which `scripts/prepare.mjs` compiles
 * (ADR 14).
 */
import { createRequire } from 'node:module';
import type Engine from 'better-sqlite3';

export const ENGINE = process.versions.node.startsWith('20.') ? 'better-sqlite3-node20' : 'better-sqlite3';

export const BetterSqlite = createRequire(import.meta.url)(ENGINE) as typeof Engine;
