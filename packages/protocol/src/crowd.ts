/** What addresses keep open, such as sockets. When all places are taken, whoever has the most gives one up. */
export type Crowd<Member> = {
  add(address: string, member: Member): void;
  /** False if it is not there, or not any more. */
  remove(address: string, member: Member): boolean;
  countOf(address: string): number;
  /**
   * Takes out the oldest of the address with the most, for a newcomer of another address. Undefined if no address has more
   * than the newcomer's will have.
   */
  takeFromMost(newcomer: string): Member | undefined;
};

export function createCrowd<Member>(): Crowd<Member> {
  const byAddress = new Map<string, Set<Member>>();
  const countOf = (address: string) => byAddress.get(address)?.size ?? 0;
  const remove = (address: string, member: Member): boolean => {
    const members = byAddress.get(address);
    if (!members?.delete(member)) return false;
    if (members.size === 0) byAddress.delete(address);
    return true;
  };
  return {
    add: (address, member) => {
      const members = byAddress.get(address) ?? new Set();
      byAddress.set(address, members.add(member));
    },
    remove,
    countOf,
    takeFromMost: (newcomer) => {
      let most = newcomer;
      for (const [address, { size }] of byAddress) if (size > countOf(most)) most = address;
      if (countOf(most) <= countOf(newcomer) + 1) return undefined;
      const [oldest] = byAddress.get(most)!;
      remove(most, oldest!);
      return oldest;
    },
  };
}
