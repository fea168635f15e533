/** In world units. The only law between mass and size: for cells, food, viruses and ejected mass. */
export function massToRadius(mass: number): number {
  return 10 * Math.sqrt(mass);
}

export function radiusToMass(radius: number): number {
  return (radius * radius) / 100;
}

/** Food of mass 2 has a rounded radius on the wire and on the screen. */
export function foodRadius(mass: number): number {
  return mass === 2 ? 14.14 : massToRadius(mass);
}
