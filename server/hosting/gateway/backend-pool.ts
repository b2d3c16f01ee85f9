import { Backend, keyOfTarget, SPREAD_MS, type Target } from './backend.ts';

/** Backends of all sites: one for each target, so that sites and releases with the same target share a backend. */
export class BackendPool {
  readonly #inUse = new Map<string, Backend>();
  /** Backends that get no new requests but still have open WebSockets. */
  readonly #retired = new Set<Backend>();
  /** Targets that were lost, for example with their machine, and have not become reachable again. */
  readonly #lost = new Map<string, Target>();

  find(target: Target): Backend | undefined {
    return this.#inUse.get(keyOfTarget(target));
  }

  /** Backends for a site's targets, without the lost ones. */
  backendsFor(targets: readonly Target[]): Backend[] {
    const reachable = targets.filter((target) => !this.#lost.has(keyOfTarget(target)));
    // If all targets of the site are marked as lost, the marks may be outdated, so all of the targets are used.
    return (reachable.length > 0 ? reachable : targets).map((target) => this.#backendFor(target));
  }

  /** Retires a backend. Returns true if it has open WebSockets, which are closed within `mostMs`. */
  retire(backend: Backend, mostMs: number): boolean {
    this.#inUse.delete(keyOfTarget(backend.target));
    backend.retire();
    if (backend.tunnels.size === 0) return false;
    this.#retired.add(backend);
    const timer = setTimeout(
      () => {
        this.#retired.delete(backend);
        backend.endTunnels();
      },
      Math.max(0, mostMs - SPREAD_MS),
    );
    timer.unref();
    return true;
  }

  /** Removes the backend of a target from the pool, and marks the target as lost. */
  removeLost(target: Target): Backend | undefined {
    const key = keyOfTarget(target);
    const backend = this.#inUse.get(key);
    if (!backend) return undefined;
    this.#inUse.delete(key);
    this.#lost.set(key, target);
    return backend;
  }

  lostTargets(): Iterable<Target> {
    return this.#lost.values();
  }

  markReachable(target: Target): void {
    this.#lost.delete(keyOfTarget(target));
  }

  values(): Iterable<Backend> {
    return this.#inUse.values();
  }

  endTunnels(): void {
    for (const backend of [...this.#inUse.values(), ...this.#retired]) {
      backend.isRetired = true;
      backend.endTunnels();
    }
  }

  close(): void {
    for (const backend of [...this.#inUse.values(), ...this.#retired]) {
      backend.retire();
      backend.endTunnelsAtOnce();
    }
  }

  #backendFor(target: Target): Backend {
    const key = keyOfTarget(target);
    const backend = this.#inUse.get(key) ?? new Backend(target);
    this.#inUse.set(key, backend);
    return backend;
  }
}
