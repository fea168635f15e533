/** A press that moves less than this is a click. */
const DRAG_FROM_PX = 5;

type PointerListener = {
  readonly drag: (dx: number, dy: number) => void;
  /** In pixels from the element's left and top. */
  readonly click: (x: number, y: number) => void;
  readonly wheel: (deltaY: number) => void;
};

/** Tells dragging from clicking. Returns a function that stops. */
export function listenToPointer(element: HTMLElement, { drag, click, wheel }: PointerListener): () => void {
  let last: { x: number; y: number } | undefined;
  let isDragging = false;
  const listeners = new AbortController();
  const { signal } = listeners;
  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      last = { x: event.clientX, y: event.clientY };
      isDragging = false;
      element.setPointerCapture(event.pointerId);
    },
    { signal },
  );
  element.addEventListener(
    'pointermove',
    (event) => {
      if (!last) return;
      const dx = event.clientX - last.x;
      const dy = event.clientY - last.y;
      if (!isDragging && Math.hypot(dx, dy) < DRAG_FROM_PX) return;
      isDragging = true;
      last = { x: event.clientX, y: event.clientY };
      drag(dx, dy);
    },
    { signal },
  );
  const release = (isClick: boolean) => (event: PointerEvent) => {
    if (last && isClick && !isDragging) {
      const { left, top } = element.getBoundingClientRect();
      click(event.clientX - left, event.clientY - top);
    }
    last = undefined;
  };
  element.addEventListener('pointerup', release(true), { signal });
  element.addEventListener('pointercancel', release(false), { signal });
  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      wheel(event.deltaY);
    },
    { signal, passive: false },
  );
  return () => listeners.abort();
}
