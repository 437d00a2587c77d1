/** Inlined, because the CSP of its worker allows no fetch. */
import plain from 'argon2id/dist/no-simd.wasm?inline';
import simd from 'argon2id/dist/simd.wasm?inline';
import { type Bytes, decodeBase64 } from '../bytes.ts';

const bytesOf = (address: string): Bytes => decodeBase64(address.slice(address.indexOf(',') + 1));

export const simdCode = (): Bytes => bytesOf(simd);
export const plainCode = (): Bytes => bytesOf(plain);
