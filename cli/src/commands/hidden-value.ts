/** Dots in place of a value. Their number does not tell the value's length. */
export const HIDDEN = '••••••••';
