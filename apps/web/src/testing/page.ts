import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { onTestFinished } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root | undefined;

/** Renders an element as the page's only content, until the test ends. Another call updates it in place. */
export async function render(element: ReactNode): Promise<void> {
  const page = root ?? createPage();
  await act(() => page.render(element));
}

export async function unmount(): Promise<void> {
  await act(() => root?.unmount());
  root = undefined;
}

function createPage(): Root {
  const container = document.createElement('div');
  document.body.replaceChildren(container);
  root = createRoot(container);
  onTestFinished(unmount);
  return root;
}

export function button(text: string): HTMLButtonElement {
  return [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text)!;
}

export async function press(text: string): Promise<void> {
  await act(async () => button(text).click());
}

/** React listens to the setter of its own inputs, so a value has to be set through the prototype's. */
export async function typeInto(input: HTMLInputElement, text: string): Promise<void> {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!;
  await act(() => {
    set!.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
