/** How much of something a run does: `usual` in `npm test`, `long` in `npm run test:long`. */
export function campaign<T>(usual: T, long: T): T {
  return process.env.SIMCHA_TESTS === 'long' ? long : usual;
}
