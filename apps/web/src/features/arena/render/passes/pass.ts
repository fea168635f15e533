import type { Container } from 'pixi.js';
import type { Frame } from '../../model/frame.ts';
import type { DrawQuality } from '../quality.ts';

/** One layer of the picture. It owns what it draws and keeps it from frame to frame. */
export type Pass = {
  readonly layer: Container;
  draw(frame: Frame, quality: DrawQuality): void;
  destroy(): void;
};
