/** Version of the package, which the bundler fills in. */
declare const SIMCHA_VERSION: string;

export const VERSION = SIMCHA_VERSION;
