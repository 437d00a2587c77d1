import { readFileSync } from 'node:fs';
import { ExchangeError } from '../../domain/exchange/exchange-error.ts';
import { fileArgon2 } from '../../domain/exchange/file-argon2.ts';
import { type Given, detectFormat } from '../../domain/exchange/formats.ts';
import type { ExchangeTree } from '../../domain/exchange/tree.ts';

/** All fixtures are older. */
export const NOW = Date.UTC(2026, 10, 1);

export type Part = string | Uint8Array<ArrayBuffer> | Blob;

const fixtureUrl = (path: string) => new URL(`../fixtures/exchange/${path}`, import.meta.url);
export const fixturePath = (path: string): string => fixtureUrl(path).pathname;
/** @param path 'bitwarden/usual.json' */
export const fixture = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(fixtureUrl(path)));
export const fixtureText = (path: string): string => readFileSync(fixtureUrl(path), 'utf8');

/** As an import does: recognised by its content, then read. */
export async function readFile(content: Part, given: Given = {}): Promise<{ id: string; tree: ExchangeTree }> {
  const file = new Blob([content]);
  const { format } = await detectFormat(file);
  const read = await format.load();
  return { id: format.id, tree: await read(file, given, { now: NOW, argon2: fileArgon2 }) };
}

/** The sentence with which reading ends. */
export async function refusalOf(content: Part, given: Given = {}): Promise<string> {
  try {
    const { id } = await readFile(content, given);
    return `read as ${id}`;
  } catch (error) {
    if (error instanceof ExchangeError) return error.message;
    throw error;
  }
}
