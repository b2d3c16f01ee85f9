import { type Static, Type } from 'typebox';
import { schemaRef } from '../../../kernel/http/shapes.ts';
import { etagHeader } from '../../../kernel/writes/preconditions.ts';
import { eventErrors, eventParam, organizerFrames, versionedAnswer } from '../../events/area.ts';
import { PICTURE_LIMITS } from './sizes.ts';

/** Schemas of the invitation's picture. */

const address = (description: string) => Type.String({ format: 'uri', description });

export const Picture = Type.Object(
  {
    url: address('JPEG, at most 1440 by 2160. A new picture gets a new address.'),
    small_url: address('Smaller size, at most 720 by 1080.'),
    preview_url: address('Link preview in chats, 1200 by 630.'),
    width: Type.Integer(),
    height: Type.Integer(),
  },
  {
    $id: 'Picture',
    examples: [
      {
        url: 'https://simcha.example.com/i/4kq7/large.jpg',
        small_url: 'https://simcha.example.com/i/4kq7/small.jpg',
        preview_url: 'https://simcha.example.com/i/4kq7/preview.jpg',
        width: 1440,
        height: 2080,
      },
    ],
  },
);
export type Picture = Static<typeof Picture>;

const about = { tags: ['guests'], params: eventParam };

export const readPictureSchema = organizerFrames.get({
  ...about,
  operationId: 'readPicture',
  summary: 'Read the addresses of the invitation’s picture',
  response: {
    200: Type.Object(
      { picture: Type.Unsafe<Picture | null>({ anyOf: [schemaRef(Picture), { type: 'null' }] }) },
      { title: 'PictureOrNone', description: 'null: there is none.', headers: etagHeader },
    ),
  },
  errors: eventErrors,
});

export const putPictureSchema = organizerFrames.put({
  ...about,
  operationId: 'putPicture',
  summary: 'Set the invitation’s picture',
  description:
    `JPEG, PNG, WebP or AVIF of at most ${PICTURE_LIMITS.fileBytes / 2 ** 20} MiB and ${PICTURE_LIMITS.pixels / 1e6} megapixels, as the whole body. ` +
    'It is turned upright and converted to JPEG in three sizes. Metadata such as the place where it was taken is removed.',
  body: Type.Unsafe({ content: { 'image/*': { schema: { type: 'string', format: 'binary' } } } }),
  response: { 200: versionedAnswer(Picture, 'picture')('Its addresses.') },
  errors: {
    ...eventErrors,
    413: `The picture is larger than ${PICTURE_LIMITS.fileBytes / 2 ** 20} MiB.`,
    415: 'The picture is not sent as image/jpeg, image/png, image/webp or image/avif.',
  },
});

export const deletePictureSchema = organizerFrames.remove({
  ...about,
  operationId: 'deletePicture',
  summary: 'Remove the invitation’s picture',
  response: { 204: Type.Null({ description: 'The invitation has no picture now.' }) },
  errors: eventErrors,
});
