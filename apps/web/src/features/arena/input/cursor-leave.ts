/**
 * Stops the cell when the pointer leaves the window, unless the player wants it to keep moving: the steering gets a
 * pointer in the middle of the screen. Returns a function that stops it.
 */
export function restOnLeave(element: HTMLElement, movesOn: () => boolean): () => void {
  const onLeave = (event: MouseEvent) => {
    if (event.relatedTarget !== null || movesOn()) return;
    const { left, top, width, height } = element.getBoundingClientRect();
    const middle = { clientX: left + width / 2, clientY: top + height / 2 };
    window.dispatchEvent(new PointerEvent('pointermove', middle));
  };
  document.addEventListener('mouseout', onLeave);
  return () => document.removeEventListener('mouseout', onLeave);
}
