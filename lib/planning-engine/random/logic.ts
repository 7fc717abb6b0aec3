/** A stream of random numbers by 32-bit integer arithmetic: the same on every machine. */
export type Random = { state: Uint32Array };

/** Finaliser of MurmurHash3. */
export function mix32(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The stream of a seed and the numbers of what it is for (component, island). */
export function newRandom(seed: number, ...parts: number[]): Random {
  let hash = mix32(seed);
  for (const part of parts) hash = mix32(hash ^ Math.imul(part + 1, 0x9e3779b1));
  const state = new Uint32Array(4);
  for (let place = 0; place < 4; place++) {
    hash = mix32(hash + 0x9e3779b9);
    state[place] = hash;
  }
  // All zeros is the one state the generator cannot leave.
  state[3]! |= 1;
  return { state };
}

/** A whole number from 0 to below n (n at most 2^31): xoshiro128**, taken down without division. */
export function below(random: Random, n: number): number {
  const s = random.state;
  const s1 = s[1]!;
  const scrambled = Math.imul(rotate(Math.imul(s1, 5), 7), 9) >>> 0;
  const shifted = s1 << 9;
  s[2]! ^= s[0]!;
  s[3]! ^= s1;
  s[1]! ^= s[2]!;
  s[0]! ^= s[3]!;
  s[2]! ^= shifted;
  s[3] = rotate(s[3]!, 11);
  // 32 by 31 bits does not fit a double: the upper and the lower half are multiplied apart.
  const high = (scrambled >>> 16) * n;
  const low = (scrambled & 0xffff) * n;
  return Math.floor((high + Math.floor(low / 65536)) / 65536);
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
