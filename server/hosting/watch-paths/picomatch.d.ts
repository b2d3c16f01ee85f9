/** The part of picomatch that watch paths use; the package has no types of its own. */
declare module 'picomatch' {
  interface Options {
    dot?: boolean;
    nobracket?: boolean;
    noextglob?: boolean;
    nonegate?: boolean;
  }
  function picomatch(patterns: string | readonly string[], options?: Options): (path: string) => boolean;
  export = picomatch;
}
