/** What is made of a picture, and kept of it: nothing of the file that came. */
export const SIZES = ['large', 'small', 'preview'] as const;
export type Size = (typeof SIZES)[number];

export interface Drawn {
  size: Size;
  width: number;
  height: number;
  /** JPEG, which every phone and every chat reads. */
  content: Uint8Array;
}

/** What can be wrong with a file that is to be a picture. */
export type Complaint = 'format' | 'heic' | 'broken' | 'pixels' | 'small' | 'slow';

/** How far a picture may go: 50 megapixels are what phones take. */
export const LIMITS = {
  fileBytes: 15 * 2 ** 20,
  pixels: 64_000_000,
  leastSide: 200,
  runMs: 20_000,
} as const;

/** What a chat shows of a link; WhatsApp leaves out larger files. */
export const PREVIEW = { width: 1200, height: 630 } as const;
