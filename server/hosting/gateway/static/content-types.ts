/** Content type of a file, by its extension, and whether compressing it is useful. */
export function contentType(name: string): { type: string; compressible: boolean } {
  const dot = name.lastIndexOf('.');
  const type = TYPES.get(dot === -1 ? '' : name.slice(dot + 1).toLowerCase()) ?? 'application/octet-stream';
  return { type, compressible: /^text\/|[/+](json|xml|javascript)|wasm|svg|ttf|otf|x-icon|bmp/.test(type) };
}

// Media types of files by the file name's extension (https://www.iana.org/assignments/media-types).
const TYPES = new Map(
  Object.entries({
    html: 'text/html; charset=utf-8',
    htm: 'text/html; charset=utf-8',
    css: 'text/css; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    mjs: 'text/javascript; charset=utf-8',
    txt: 'text/plain; charset=utf-8',
    md: 'text/markdown; charset=utf-8',
    csv: 'text/csv; charset=utf-8',
    ics: 'text/calendar; charset=utf-8',
    vcf: 'text/vcard; charset=utf-8',
    vtt: 'text/vtt; charset=utf-8',
    json: 'application/json',
    map: 'application/json',
    jsonld: 'application/ld+json',
    geojson: 'application/geo+json',
    webmanifest: 'application/manifest+json',
    xml: 'application/xml',
    rss: 'application/rss+xml',
    atom: 'application/atom+xml',
    xhtml: 'application/xhtml+xml',
    wasm: 'application/wasm',
    pdf: 'application/pdf',
    zip: 'application/zip',
    gz: 'application/gzip',
    svg: 'image/svg+xml',
    png: 'image/png',
    apng: 'image/apng',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    avif: 'image/avif',
    bmp: 'image/bmp',
    ico: 'image/x-icon',
    woff: 'font/woff',
    woff2: 'font/woff2',
    ttf: 'font/ttf',
    otf: 'font/otf',
    mp3: 'audio/mpeg',
    m4a: 'audio/mp4',
    ogg: 'audio/ogg',
    opus: 'audio/ogg',
    wav: 'audio/wav',
    flac: 'audio/flac',
    mp4: 'video/mp4',
    webm: 'video/webm',
    mov: 'video/quicktime',
  }),
);
