/** Lets so many run at a time; one that takes longer than `mostMs` goes on, and makes room for the next. */
export function createGate(most: number, mostMs?: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    let isInside = true;
    const leaveOnce = () => {
      if (isInside) leave();
      isInside = false;
    };
    const timer = mostMs === undefined ? undefined : setTimeout(leaveOnce, mostMs).unref();
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      leaveOnce();
    }
  };
}
