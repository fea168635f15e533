import { search } from './quad-tree.ts';
import { burst, feedVirus } from './viruses.ts';
import {
  type Body,
  isLarger,
  type Player,
  playerId,
  type ReferenceWorld,
  removeBody,
  setMass,
} from './world.ts';

/** Each prey goes to the largest body that can eat it; a body that is being eaten eats nothing. */
export function eatBodies(world: ReferenceWorld): void {
  const prey = findPrey(world);
  prey.sort((a, b) => a.slot - b.slot);
  for (const body of prey) {
    if (!body.eater!.eater) swallow(world, body.eater!, body);
  }
  for (const body of prey) body.eater = undefined;
}

function findPrey(world: ReferenceWorld): Body[] {
  const found: Body[] = [];
  for (const eater of world.bodies) {
    if (!eater || eater.kind === 'ejected') continue;
    eater.nearby = search(world.finder, eater.box);
    for (const prey of eater.nearby) {
      if (prey.kind === 'food' || !canSwallow(world, eater, prey)) continue;
      if (!prey.eater) found.push(prey);
      if (!prey.eater || isLarger(eater, prey.eater)) prey.eater = eater;
    }
  }
  return found;
}

function canSwallow(world: ReferenceWorld, eater: Body, prey: Body): boolean {
  const { massRatio, preyDepth } = world.rules.eating;
  if (prey.massMilli > eater.massMilli / massRatio) return false;
  const dx = prey.x - eater.x;
  const dy = prey.y - eater.y;
  const depth = eater.radius - prey.radius * preyDepth;
  if (dx * dx + dy * dy >= depth * depth) return false;
  if (prey.kind === 'ejected') return true;
  if (eater.kind === 'virus') return false;
  if (prey.kind === 'virus') return true;
  return (
    eater.owner !== prey.owner && !isInvulnerable(world, eater.owner!) && !isInvulnerable(world, prey.owner!)
  );
}

function isInvulnerable(world: ReferenceWorld, player: Player): boolean {
  return world.tick < player.invulnerableUntilTick;
}

function swallow(world: ReferenceWorld, eater: Body, prey: Body): void {
  if (eater.kind === 'virus') {
    feedVirus(world, eater, prey);
    return;
  }
  removeBody(world, prey);
  setMass(eater, eater.massMilli + prey.massMilli);
  if (prey.kind === 'virus') burst(world, eater);
  if (prey.kind === 'cell') reportEaten(world, eater.owner!, prey.owner!, prey.massMilli);
}

function reportEaten(world: ReferenceWorld, killer: Player, victim: Player, massMilli: number): void {
  const eaterId = playerId(killer);
  const preyId = playerId(victim);
  world.outcomes.push({ type: 'cellEaten', eater: eaterId, prey: preyId, massMilli });
  if (victim.cells.length > 0) return;
  victim.isAlive = false;
  world.outcomes.push({ type: 'killed', killer: eaterId, victim: preyId });
}
