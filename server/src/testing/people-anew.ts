/** Before each test file in a shared process: its people get new keys, which are not among those that the file gets from `ready-rsa-keys.ts`. */
import { forgetPeople } from './test-person.ts';

forgetPeople();
