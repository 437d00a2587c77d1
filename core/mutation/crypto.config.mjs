import { settings } from './common.mjs';

/** `core/crypto`; the reader of the older format apart, which writes nothing. The primitives of browsers are run in Node against those of Node. */
export default settings('crypto', ['core/src/crypto/*.ts', 'core/src/crypto/argon2/*.ts']);
