import { test } from 'node:test';
import { inShortRun } from './campaign.ts';

/** Defines a test that `npm test` leaves to the lane of its folder, such as `npm run test:web`. */
export const testInLane = inShortRun((() => {}) as unknown as typeof test, test);
