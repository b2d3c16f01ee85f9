/** Saves a file in the browser's downloads folder. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  // Some browsers read the file only after the click, so its address is revoked a minute later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Makes a file of a response, with the name that the server gives it. */
export function fileOf(data: BlobPart, { headers }: Response, otherwise: string): File {
  const disposition = headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1];
  return new File([data], encoded ? decodeURIComponent(encoded) : (plain ?? otherwise), {
    type: headers.get('content-type') ?? '',
  });
}
