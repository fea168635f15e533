import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { HudState, HudStore } from './hud-state.ts';

export const HudContext = createContext<HudStore | undefined>(undefined);

/** Reads one slice; the component is drawn anew only when that slice changes. */
export function useHud<Slice>(select: (hud: HudState) => Slice): Slice {
  const store = useContext(HudContext);
  if (!store) throw new Error('useHud needs a HudContext around it');
  return useStore(store, select);
}
