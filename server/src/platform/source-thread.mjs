/** Where a thread begins that runs from TypeScript sources (development, tests): its first argument is the real entry. */
import { register } from 'tsx/esm/api';

register();
await import(process.argv[2] ?? '');
