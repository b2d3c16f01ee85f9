import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIKES, TALLY } from './likes.js';

// Counts what guests like, beside the site: a request waits for none of it.
let counted;
for (;;) {
  const likes = await readFile(LIKES, 'utf8').catch(() => '');
  if (likes !== counted) {
    const dishes = Object.groupBy(likes.split('\n').filter(Boolean), (dish) => dish);
    const tally = Object.fromEntries(Object.entries(dishes).map(([dish, all]) => [dish, all.length]));
    // Whoever reads it meanwhile reads the one before.
    await writeFile(`${TALLY}.new`, JSON.stringify(tally));
    await rename(`${TALLY}.new`, TALLY);
    console.log(`counted ${Object.keys(tally).length} dishes`);
    counted = likes;
  }
  await sleep(1_000);
}
