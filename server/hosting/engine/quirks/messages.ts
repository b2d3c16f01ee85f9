// Error messages of engines that mean something else than their status says.

/** True for a message of Docker's engine whose other process, containerd, is being stopped. */
export function isBeingStopped(message: string): boolean {
  return /grpc: the client connection is closing|transport is closing/.test(message);
}

/**
 * Status for an engine's error: Podman answers 500 in some cases in which an object does not exist or already exists.
 */
export function correctStatus(status: number, message: string): number {
  if (status !== 500) return status;
  if (/no such (container|image|volume|network)\b/.test(message)) return 404;
  return /name is already in use/.test(message) ? 409 : status;
}
