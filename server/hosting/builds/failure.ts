/** The site's own fault, in a sentence for its owner. */
export class RuntimeFailure extends Error {}
