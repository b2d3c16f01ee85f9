import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIKES, TALLY } from './likes.js';

// Likes are counted in a process of their own, so that no request waits for it.
let counted;
for (;;) {
  const likes = await readFile(LIKES, 'utf8').catch(() => '');
  if (likes !== counted) {
    const dishes = Object.groupBy(likes.split('\n').filter(Boolean), (dish) => dish);
    const tally = Object.fromEntries(Object.entries(dishes).map(([dish, all]) => [dish, all.length]));
    // Renaming replaces the file at once: a reader sees the old tally or the new one, never a part.
    await writeFile(`${TALLY}.new`, JSON.stringify(tally));
    await rename(`${TALLY}.new`, TALLY);
    console.log(`counted ${Object.keys(tally).length} dishes`);
    counted = likes;
  }
  await sleep(1_000);
}
