/** Sizes in which an invitation's picture is stored. The uploaded file itself is not stored. */
export const PICTURE_SIZES = ['large', 'small', 'preview'] as const;
export type PictureSize = (typeof PICTURE_SIZES)[number];

export interface DrawnPicture {
  size: PictureSize;
  width: number;
  height: number;
  /** Content of the picture as a JPEG file, which all phones and chats can show. */
  content: Uint8Array;
}

/** Reasons why an uploaded file is refused as a picture. */
export type PictureComplaint = 'format' | 'heic' | 'broken' | 'pixels' | 'small' | 'slow';

/** Limits on an uploaded picture. Phones take pictures of up to 50 megapixels. */
export const PICTURE_LIMITS = {
  fileBytes: 15 * 2 ** 20,
  pixels: 64_000_000,
  leastSide: 200,
  runMs: 20_000,
} as const;

/** Size, in pixels, of the picture for link previews in chats. WhatsApp ignores larger files. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;
