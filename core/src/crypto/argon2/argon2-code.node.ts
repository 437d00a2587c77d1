/** The WebAssembly code of Argon2id, read from its package. Browsers use `argon2-code.web.ts`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Bytes } from '../bytes.ts';

const { resolve } = createRequire(import.meta.url);
const bytesOf = (name: string): Bytes => new Uint8Array(readFileSync(resolve(`argon2id/dist/${name}.wasm`)));

export const simdCode = (): Bytes => bytesOf('simd');
export const plainCode = (): Bytes => bytesOf('no-simd');
