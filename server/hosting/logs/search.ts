/** From `start` up to, not including, `end`, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

export interface Patterns {
  /** Found wherever they stand. */
  anywhere: readonly string[];
  /** Found where they stand as a word of their own; shorter than LONGEST_WORD + 1. */
  asWords: readonly string[];
}

/** Lengths of words are bits of a byte. */
export const LONGEST_WORD = 8;

const ROOT = 0;

/**
 * Finds in one walk over a text all that is part of any pattern, as spans that do not touch one another. It costs a
 * few steps for each of the text's units, whatever the patterns are and however many (Aho and Corasick, 1975).
 */
export function createSearch({ anywhere, asWords }: Patterns): (text: string) => Span[] {
  const most = [...anywhere, ...asWords].reduce((sum, { length }) => sum + length, 1);
  const trie = createTrie(most);
  /** The length of the longest pattern that ends at a node. */
  const longest = new Uint32Array(most);
  /** Of the words that end at a node, the lengths: bit 0 is 1. */
  const words = new Uint8Array(most);
  for (const pattern of anywhere) longest[trie.add(pattern)] = pattern.length;
  for (const word of asWords) {
    const node = trie.add(word);
    words[node] = at(words, node) | (1 << (word.length - 1));
  }
  /** The node of the longest proper end of what a node stands for. */
  const shorter = new Int32Array(most);
  const step = (from: number, unit: number): number => {
    for (let node = from; ; node = at(shorter, node)) {
      const next = trie.next(node, unit);
      if (next !== ROOT || node === ROOT) return next;
    }
  };
  for (const node of trie.byDepth()) {
    const parent = at(trie.parents, node);
    if (parent !== ROOT) shorter[node] = step(at(shorter, parent), at(trie.units, node));
    const end = at(shorter, node);
    longest[node] = at(longest, node) || at(longest, end);
    words[node] = at(words, node) | at(words, end);
  }

  return (text) => {
    const spans: Span[] = [];
    for (let node = ROOT, end = 1; end <= text.length; end += 1) {
      node = step(node, text.charCodeAt(end - 1));
      const length = Math.max(at(longest, node), lengthOfWord(text, end, at(words, node)));
      if (length > 0) cover(spans, end - length, end);
    }
    return spans;
  };
}

/** Ends only ever grow: what `start` reaches back over becomes one with it. */
function cover(spans: Span[], start: number, end: number): void {
  let from = start;
  for (let last = spans.at(-1); last && last.end >= from; last = spans.at(-1)) {
    from = Math.min(from, last.start);
    spans.pop();
  }
  spans.push({ start: from, end });
}

/** The longest of these lengths that stands as a word of its own before `end`; 0 for none. */
function lengthOfWord(text: string, end: number, lengths: number): number {
  if (lengths === 0 || isOfWord(text.codePointAt(end))) return 0;
  for (let length = LONGEST_WORD; length > 0; length -= 1) {
    if (lengths & (1 << (length - 1)) && !isOfWord(codePointBefore(text, end - length))) return length;
  }
  return 0;
}

const OF_WORD = /[\p{L}\p{N}_]/u;

function isOfWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && OF_WORD.test(String.fromCodePoint(codePoint));
}

function codePointBefore(text: string, index: number): number | undefined {
  const pair = text.codePointAt(index - 2);
  return pair !== undefined && pair > 0xffff ? pair : text.codePointAt(index - 1);
}

/** Of `most` nodes at most, the root among them. Which unit leads from where to where stands in one table of numbers. */
function createTrie(most: number) {
  const size = 2 ** Math.ceil(Math.log2(2 * most));
  const table = new Int32Array(size);
  const parents = new Int32Array(most);
  const units = new Uint16Array(most);
  const depths = new Int32Array(most);
  let nodes = 1;

  /** Where the node after `node` stands in the table, or would. */
  const placeOf = (node: number, unit: number): number => {
    let place = (Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 0;
    for (place = (place ^ (place >>> 15)) & (size - 1); ; place = (place + 1) & (size - 1)) {
      const found = at(table, place);
      if (found === ROOT || (at(parents, found) === node && at(units, found) === unit)) return place;
    }
  };

  return {
    parents,
    units,
    /** ROOT where no pattern goes on like this. */
    next: (node: number, unit: number): number => at(table, placeOf(node, unit)),
    add(pattern: string): number {
      let node = ROOT;
      for (let i = 0; i < pattern.length; i += 1) {
        const unit = pattern.charCodeAt(i);
        const place = placeOf(node, unit);
        if (at(table, place) === ROOT) {
          parents[nodes] = node;
          units[nodes] = unit;
          depths[nodes] = i + 1;
          table[place] = nodes;
          nodes += 1;
        }
        node = at(table, place);
      }
      return node;
    },
    /** Every node but the root, each after all that stand for less. */
    byDepth(): Int32Array {
      const ordered = new Int32Array(nodes - 1);
      /** Where the next node of a depth goes. */
      const places = new Int32Array(nodes + 1);
      for (let node = 1; node < nodes; node += 1) add(places, at(depths, node) + 1, 1);
      for (let depth = 1; depth <= nodes; depth += 1) add(places, depth, at(places, depth - 1));
      for (let node = 1; node < nodes; node += 1) {
        const depth = at(depths, node);
        ordered[at(places, depth)] = node;
        add(places, depth, 1);
      }
      return ordered;
    },
  };
}

/** Every index here is one of the array's own. */
function at(array: Int32Array | Uint32Array | Uint16Array | Uint8Array, index: number): number {
  return array[index] as number;
}

function add(array: Int32Array, index: number, more: number): void {
  array[index] = at(array, index) + more;
}
