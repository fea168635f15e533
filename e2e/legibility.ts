/** Runs in the page. Texts that are cut off, or that lie over another text. */
export function findUnreadable(): string[] {
  const texts = [...document.querySelectorAll<HTMLElement>('main *')].filter(
    ({ childNodes, offsetParent }) =>
      offsetParent !== null &&
      [...childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim()),
  );
  const boxes = texts.map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return seenOf(range.getBoundingClientRect(), element);
  });
  /** Without what has been scrolled out of sight. */
  function seenOf({ left, right, top, bottom }: DOMRect, { parentElement }: HTMLElement) {
    const seen = { left, right, top, bottom };
    for (let around = parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowY === 'visible') continue;
      const frame = around.getBoundingClientRect();
      seen.top = Math.max(seen.top, frame.top);
      seen.bottom = Math.min(seen.bottom, frame.bottom);
    }
    return seen;
  }
  type Box = ReturnType<typeof seenOf>;
  const isOver = (a: Box, b: Box) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return texts.flatMap((element, at) => {
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow === 'hidden')
      return [`cut: ${element.textContent}`];
    const other = texts.find(
      (next, to) => to > at && !element.contains(next) && isOver(boxes[at]!, boxes[to]!),
    );
    return other ? [`${element.textContent} / ${other.textContent}`] : [];
  });
}

/** Runs in the page. Facts of the profile that end under something else. */
export function findCovered(): (string | null)[] {
  return [...document.querySelectorAll('main dl > div > *')].flatMap((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { right, top, height } = range.getBoundingClientRect();
    const above = document.elementFromPoint(right - 2, top + height / 2);
    return element.contains(above) ? [] : [element.textContent];
  });
}
