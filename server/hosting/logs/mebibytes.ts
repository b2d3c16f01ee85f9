/** Number of bytes in MiB for a log, with one decimal. */
export function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
