type Point = { readonly x: number; readonly y: number };

/** A walk round the middle of a square world: it feeds, and it never comes near the exits when they are in the middle. */
export function ringWalk(worldSize: number, radius: number) {
  const middle = { x: worldSize / 2, y: worldSize / 2 };
  const bearing = ({ x, y }: Point) => Math.atan2(y - middle.y, x - middle.x);

  /** A little further along the ring. */
  function ahead(self: Point, direction = 1): Point {
    const angle = bearing(self) + 0.6 * direction;
    return { x: middle.x + radius * Math.cos(angle), y: middle.y + radius * Math.sin(angle) };
  }

  /** Straight to the target if it is on this side of the middle, else round it. */
  function towards(self: Point, target: Point): Point {
    const turn = bearing(target) - bearing(self);
    const shortest = Math.atan2(Math.sin(turn), Math.cos(turn));
    return Math.abs(shortest) < 1 ? target : ahead(self, Math.sign(shortest));
  }

  return { middle, ahead, towards };
}
