import { join } from 'node:path';

// The home of the site outlives its releases, and all of its processes have the same one.
const { HOME = '.' } = process.env;

/** A dish on each line, as guests like them. */
export const LIKES = join(HOME, 'likes');
/** How often each is liked, which the worker counts. */
export const TALLY = join(HOME, 'tally.json');
