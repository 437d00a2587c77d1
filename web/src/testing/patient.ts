/** Longer timeouts for screen tests with a real server, because a busy machine is no failure. */
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 10_000 });
