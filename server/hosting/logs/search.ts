/** Range of UTF-16 code units from `start` up to, but excluding, `end`. */
export interface Span {
  start: number;
  end: number;
}

export interface Patterns {
  /** Patterns that are found at any position in a text. */
  anywhere: readonly string[];
  /**
   * Patterns found only as separate words, with no letter or digit beside them; each has at most LONGEST_WORD
   * characters.
   */
  asWords: readonly string[];
}

/**
 * Maximum length of a pattern in `asWords`: the search stores a set of such lengths in one byte, with one bit for each.
 */
export const LONGEST_WORD = 8;

const ROOT = 0;

/**
 * Creates a search that finds all parts of any pattern in one pass over a text, as spans that do not touch. The time
 * per code unit does not depend on the patterns or their number (Aho and Corasick, 1975).
 */
export function createSearch({ anywhere, asWords }: Patterns): (text: string) => Span[] {
  const most = [...anywhere, ...asWords].reduce((sum, { length }) => sum + length, 1);
  const trie = createTrie(most);
  /**
   * For each node of the search tree, the length of the longest pattern with which the node's text ends; 0 if it ends
   * with no pattern.
   */
  const longest = new Uint32Array(most);
  /**
   * For each node of the search tree, the lengths of those patterns from `asWords` with which the node's text ends: bit
   * 0 stands for length 1, bit 1 for length 2.
   */
  const words = new Uint8Array(most);
  for (const pattern of anywhere) longest[trie.add(pattern)] = pattern.length;
  for (const word of asWords) {
    const node = trie.add(word);
    words[node] = at(words, node) | (1 << (word.length - 1));
  }
  /**
   * For each node of the search tree, the node of the longest shorter text with which this node's text ends. The search
   * continues there if no node has the next character.
   */
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

/**
 * Adds the range from `start` to `end`, and merges it with earlier ranges that it overlaps or touches. Each call's
 * `end` is at least that of the call before.
 */
function cover(spans: Span[], start: number, end: number): void {
  let from = start;
  for (let last = spans.at(-1); last && last.end >= from; last = spans.at(-1)) {
    from = Math.min(from, last.start);
    spans.pop();
  }
  spans.push({ start: from, end });
}

/**
 * Length of the longest separate word that ends before the position `end`, out of the given lengths (bit 0 stands for
 * length 1); 0 if there is none.
 */
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

/** Trie with at most `most` nodes, including the root. All transitions are in one hash table of numbers. */
function createTrie(most: number) {
  const size = 2 ** Math.ceil(Math.log2(2 * most));
  const table = new Int32Array(size);
  const parents = new Int32Array(most);
  const units = new Uint16Array(most);
  const depths = new Int32Array(most);
  let nodes = 1;

  /**
   * Place in the hash table of the step from a node by a character, or the free place where that step would be stored.
   */
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
    /** Node that follows a node by one more character of the text; ROOT if no pattern continues with that character. */
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
    /** All nodes of the tree except the root, those nearest to the root first. */
    byDepth(): Int32Array {
      const ordered = new Int32Array(nodes - 1);
      /** For each depth in the tree, the index in `ordered` at which the next node of that depth is stored. */
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

/** Array access without a bounds check; every index here is valid. */
function at(array: Int32Array | Uint32Array | Uint16Array | Uint8Array, index: number): number {
  return array[index] as number;
}

function add(array: Int32Array, index: number, more: number): void {
  array[index] = at(array, index) + more;
}
