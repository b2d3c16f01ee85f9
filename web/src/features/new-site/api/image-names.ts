/** Name for a site that runs an image: the last word of the image's path, without its tag. */
export function nameFromImage(image: string): string {
  const path = image.trim().split('@')[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last.split(':')[0] ?? '';
}
