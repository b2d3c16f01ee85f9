import { join } from 'node:path';

// The site's home folder outlives its releases, and all of its processes share it.
const { HOME = '.' } = process.env;

/** File with one line for each like: the dish. */
export const LIKES = join(HOME, 'likes');
/** File with the number of likes of each dish, written by the worker. */
export const TALLY = join(HOME, 'tally.json');
