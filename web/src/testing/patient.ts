/** Longer timeouts for screen tests with a real server on a busy machine. */
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 10_000 });
