/** Makes room for the next after so many milliseconds, while the work goes on. */
export type LeaveIn = (ms: number) => void;

interface Waiting {
  whose: string;
  enter: () => void;
}

/**
 * Lets so many run at a time. Next comes whoever has the fewest inside, and of those who came in longest ago, so that
 * nobody's many keep another's one waiting for all of them.
 */
export function createGate(most: number) {
  /** How many of whose are inside, and their latest entry, of all who are inside or wait. */
  const known = new Map<string, { inside: number; entry: number }>();
  const waiting: Waiting[] = [];
  let running = 0;
  let entries = 0;

  const of = (whose: string) => known.get(whose) ?? { inside: 0, entry: 0 };
  const enter = (whose: string) => {
    running += 1;
    entries += 1;
    known.set(whose, { inside: of(whose).inside + 1, entry: entries });
  };
  const takeNext = (): Waiting | undefined => {
    const turns = waiting.map(({ whose }, index) => ({ ...of(whose), index }));
    const [first] = turns.sort((a, b) => a.inside - b.inside || a.entry - b.entry || a.index - b.index);
    return first && waiting.splice(first.index, 1)[0];
  };
  const leave = (whose: string) => {
    running -= 1;
    const { inside, entry } = of(whose);
    known.set(whose, { inside: inside - 1, entry });
    const next = takeNext();
    if (next) {
      enter(next.whose);
      next.enter();
    }
    if (of(whose).inside === 0 && !waiting.some((one) => one.whose === whose)) known.delete(whose);
  };

  return async <T>(whose: string, work: (leaveIn: LeaveIn) => Promise<T>): Promise<T> => {
    if (running < most) enter(whose);
    else await new Promise<void>((resolve) => waiting.push({ whose, enter: resolve }));
    let timer: NodeJS.Timeout | undefined;
    let isInside = true;
    const leaveOnce = () => {
      clearTimeout(timer);
      if (isInside) leave(whose);
      isInside = false;
    };
    try {
      return await work((ms) => {
        timer = setTimeout(leaveOnce, ms).unref();
      });
    } finally {
      leaveOnce();
    }
  };
}
