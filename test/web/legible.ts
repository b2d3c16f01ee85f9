/**
 * Script that runs in the page and returns its unreadable texts: cut off at an edge without an ellipsis, or over
 * another text. Scrollable parts, visually hidden texts and what lies above the page (a dialog, a sticky header) are no
 * faults.
 */
export const ILLEGIBLE = `(() => {
  const told = [];
  const name = (element) => element.outerHTML.replace(/<svg.*?<\\/svg>/gs, '<svg>').slice(0, 160);
  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  // Visually hidden text is for screen readers.
  const isForEars = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { clipPath, clip, position } = getComputedStyle(at);
      const { width, height } = at.getBoundingClientRect();
      if (position === 'absolute' && (width <= 1 || height <= 1 || clip !== 'auto' || clipPath !== 'none')) return true;
    }
    return false;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element || /^(SCRIPT|STYLE|OPTION|TITLE)$/.test(element.tagName)) continue;
    if (!isSeen(element) || isForEars(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) if (rect.width > 1 && rect.height > 1) texts.push({ element, rect });
  }
  for (const { element, rect } of texts) {
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(box);
      if (overflowX === 'auto' || overflowX === 'scroll' || overflowY === 'auto' || overflowY === 'scroll') break;
      if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') break;
      const edge = box.getBoundingClientRect();
      const isCutAside = overflowX !== 'visible' && (rect.left < edge.left - 1 || rect.right > edge.right + 1);
      // Letters are lower than the lines that they stand in.
      const isCutBelow = overflowY !== 'visible' && (rect.top < edge.top - 5 || rect.bottom > edge.bottom + 5);
      if (isCutAside || isCutBelow) { told.push('cut: ' + element.textContent.slice(0, 60) + ' in ' + name(box)); break; }
    }
  }
  // Elements over a text hide it, unless they are nearly transparent.
  const isOpaque = (element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    const alpha = backgroundColor.startsWith('rgba(') ? Number(backgroundColor.split(',')[3]?.slice(0, -1)) : 1;
    return backgroundImage !== 'none' || alpha > 0.3 || /^(IMG|IFRAME|VIDEO|CANVAS)$/.test(element.tagName);
  };
  const isSeenAt = (element, x, y) => {
    for (const above of document.elementsFromPoint(x, y)) {
      if (above.contains(element) || element.contains(above)) return true;
      if (isOpaque(above)) return false;
    }
    return false;
  };
  // Text beyond the edge of a scrolled part is not drawn.
  const isScrolledAway = ({ element, rect }) => {
    const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      const edge = box.getBoundingClientRect();
      if (overflowX !== 'visible' && (x < edge.left || x > edge.right)) return true;
      if (overflowY !== 'visible' && (y < edge.top || y > edge.bottom)) return true;
    }
    return false;
  };
  const inView = texts.filter(({ element, rect }) => !isScrolledAway({ element, rect }) &&
    isSeenAt(element, rect.left + rect.width / 2, rect.top + rect.height / 2));
  inView.sort((one, other) => one.rect.top - other.rect.top);
  for (const [at, one] of inView.entries()) {
    for (const other of inView.slice(at + 1)) {
      if (other.rect.top > one.rect.bottom) break;
      if (other.element === one.element || other.element.contains(one.element) || one.element.contains(other.element)) continue;
      const [left, right] = [Math.max(one.rect.left, other.rect.left), Math.min(one.rect.right, other.rect.right)];
      const [top, bottom] = [Math.max(one.rect.top, other.rect.top), Math.min(one.rect.bottom, other.rect.bottom)];
      if (right - left <= 2 || bottom - top <= Math.min(one.rect.height, other.rect.height) / 2) continue;
      // A note or header over a part of a text hides it there.
      if ([one, other].every(({ element }) => isSeenAt(element, (left + right) / 2, (top + bottom) / 2)))
        told.push('over each other: ' + one.element.textContent.slice(0, 60) + ' | ' + other.element.textContent.slice(0, 60));
    }
  }
  return [...new Set(told)];
})()`;
