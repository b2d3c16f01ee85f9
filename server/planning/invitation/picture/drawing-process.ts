import sharp, { type Sharp } from 'sharp';
import {
  type DrawnPicture,
  PICTURE_LIMITS,
  type PictureComplaint,
  type PictureSize,
  PREVIEW_SIZE,
} from './sizes.ts';

// Child process started by drawing.ts. It decodes an uploaded picture, which is not trusted, and makes the stored
// sizes of it.

export type DrawingMessage = { drawn: DrawnPicture[] } | { complaint: PictureComplaint };

// Only these decoders are allowed, whatever format a file claims to have: those for SVG, PDF and the like have a
// large attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadHeifFile',
  ],
});
sharp.cache(false);
sharp.concurrency(1);

const LARGE = { width: 1440, height: 2160 } as const;
const SMALL = { width: 720, height: 1080 } as const;
const MOST_BYTES: Readonly<Record<PictureSize, number>> = {
  large: 700_000,
  small: 250_000,
  preview: 280_000,
};
const QUALITIES = [82, 72, 60, 48, 36, 24];

/** Pixels of a decoded picture in sRGB, without the metadata of its file. */
interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 3 };
}

async function draw(path: string): Promise<DrawingMessage> {
  // The metadata is read from the head of the file, so pictures that are too large are refused before they are
  // decoded.
  const { width, height } = await sharp(path, { limitInputPixels: false }).metadata();
  if (width * height > PICTURE_LIMITS.pixels) return { complaint: 'pixels' };
  if (Math.min(width, height) < PICTURE_LIMITS.leastSide) return { complaint: 'small' };
  const source = sharp(path, {
    limitInputPixels: PICTURE_LIMITS.pixels,
    failOn: 'error',
    pages: 1,
    autoOrient: true,
  });
  const base = await pixels(
    source.resize({ ...LARGE, fit: 'inside', withoutEnlargement: true }).flatten({ background: '#fff' }),
  );
  const drawn = [
    await encodePicture('large', of(base)),
    await encodePicture('small', of(base).resize({ ...SMALL, fit: 'inside', withoutEnlargement: true })),
    await encodePicture('preview', await previewOf(base)),
  ];
  return { drawn };
}

function of({ data, raw }: Pixels): Sharp {
  return sharp(data, { raw });
}

async function pixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: 3 } };
}

/**
 * Preview with the whole picture in front of a blurred copy of itself. Invitations are upright and full of text, so
 * they must not be cropped.
 */
async function previewOf(base: Pixels): Promise<Sharp> {
  const whole = await pixels(of(base).resize({ ...PREVIEW_SIZE, fit: 'inside' }));
  const behind = await pixels(
    of(base)
      .resize({ ...PREVIEW_SIZE, fit: 'cover' })
      .blur(24)
      .modulate({ brightness: 0.8 }),
  );
  return of(behind).composite([{ input: whole.data, raw: whole.raw }]);
}

/** Encodes a picture as JPEG in the best quality that fits the size limit. */
async function encodePicture(size: PictureSize, picture: Sharp): Promise<DrawnPicture> {
  for (const quality of QUALITIES) {
    const { data, info } = await picture
      .clone()
      .jpeg({ quality, mozjpeg: true })
      .toBuffer({ resolveWithObject: true });
    if (data.length <= MOST_BYTES[size] || quality === QUALITIES.at(-1)) {
      return { size, width: info.width, height: info.height, content: data };
    }
  }
  throw new Error('no quality was tried');
}

const path = process.argv[2] ?? '';
const message = await draw(path).catch((): DrawingMessage => ({ complaint: 'broken' }));
process.send?.(message, undefined, undefined, () => process.disconnect?.());
