import { describe, expect, test } from "vitest";
import { type RuleField, ruleFieldNames, ruleFields } from "#lib/owners/owner-rules/limits.ts";
import { fillOwners, type OwnerRunFacts, type OwnerRunRule } from "#lib/owners/owner-runs/logic.ts";
import { outcomes } from "#lib/plan-rules/runs/limits.ts";
import { emptyBlock, keepBefore, type PlanBlock, stateValue, withState } from "#lib/rollout-plan/plan-rows/logic.ts";

/** Numbers that look random and are the same in every run. */
function chance(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return { below: (n: number) => Math.floor(next() * n), is: (share: number) => next() < share };
}

const width = 5;
const flows = [1, 2, 3];
/** Sets of people; 3 and 4 are the same people in another order, and so are 5 and 6. */
const members = new Map<number, number[]>([
  [1, [11]],
  [2, [12]],
  [3, [11, 12]],
  [4, [12, 11]],
  [5, [11, 13, 14]],
  [6, [14, 11, 13]],
  [7, [13]],
]);
const activityOf = new Map(Array.from({ length: width - 1 }, (_, at) => [at + 1, 100 + at + 1]));
const peopleOf = (set: number) => [...(members.get(set) ?? [])].sort().join(" ");

type Case = { rules: OwnerRunRule[]; block: PlanBlock; facts: OwnerRunFacts };

function makeCase(seed: number): Case {
  const random = chance(seed);
  const rows = 1 + random.below(6);
  const block = emptyBlock(
    Array.from({ length: rows }, (_, row) => row + 1),
    width,
  );
  for (let row = 0; row < rows; row++) {
    block.flowIds[row] = flows[random.below(3)]!;
    for (let slot = 1; slot < width; slot++) {
      const at = row * width + slot;
      let state = random.is(0.8) ? 1 : 0;
      if (random.is(0.1)) state = withState(state, "na", 1 + random.below(2));
      if (random.is(0.1)) state = withState(state, "closed", 1);
      if (random.is(0.15)) state = withState(state, "frozen", 1);
      block.state[at] = state;
      if (random.is(0.15)) block.actualEnd[at] = 9000;
      for (const field of ruleFieldNames) if (random.is(0.4)) block[ruleFields[field]][at] = 1 + random.below(7);
    }
  }
  keepBefore(block);
  const rules = Array.from({ length: 1 + random.below(4) }, (_, at): OwnerRunRule => {
    const slots = [1, 2, 3, 4].filter(() => random.is(0.5));
    return {
      id: at + 1,
      name: `Rule ${at + 1}`,
      writes: random.is(0.75),
      flowIds: flows.filter(() => random.is(0.6)),
      slots: random.is(0.5) ? null : new Set(slots),
      ownerFields: ruleFieldNames.filter(() => random.is(0.6)),
      overwrite: random.is(0.5),
    };
  });
  const column = <T extends Uint8Array | Int32Array>(made: T, value: () => number): T => made.map(value) as T;
  const facts: OwnerRunFacts = {
    holds: rules.map(() => column(new Uint8Array(rows), () => (random.is(0.7) ? 1 : 0))),
    people: rules.map(() => column(new Int32Array(rows), () => (random.is(0.75) ? 1 + random.below(7) : 0))),
    members,
  };
  return { rules, block, facts };
}

type Told = { value: string; outcome: string | null };

/** The same in plain loops, cell by cell: the first rule that holds and gives somebody decides. */
function plainly({ rules, block, facts }: Case): Map<string, Told> {
  const told = new Map<string, Told>();
  block.duIds.forEach((duId, row) => {
    for (let slot = 1; slot < width; slot++)
      for (const field of ruleFieldNames) {
        const at = row * width + slot;
        const held = block[ruleFields[field]][at]!;
        const state = block.state[at]!;
        const key = `${duId} ${slot} ${field}`;
        told.set(key, { value: peopleOf(held), outcome: null });
        if (stateValue(state, "inFlow") === 0) continue;
        const place = rules.findIndex(
          (rule, at) =>
            rule.flowIds.includes(block.flowIds[row]!) &&
            (rule.slots === null || rule.slots.has(slot)) &&
            rule.ownerFields.includes(field) &&
            facts.holds[at]![row] === 1 &&
            facts.people[at]![row] !== 0,
        );
        const rule = rules[place];
        if (!rule?.writes) continue;
        const wanted = peopleOf(facts.people[place]![row]!);
        if (wanted === peopleOf(held) || (held !== 0 && !rule.overwrite)) continue;
        const reason = reasonPlainly(state, block.actualEnd[at]!, field);
        told.set(key, reason ? { value: peopleOf(held), outcome: reason } : { value: wanted, outcome: "CHANGED" });
      }
  });
  return told;
}

function reasonPlainly(state: number, actualEnd: number, field: RuleField): string | null {
  if (stateValue(state, "na") !== 0) return "NA_OR_INV";
  if (stateValue(state, "closed") === 1) return "TASK_CLOSED";
  if (field === "PLAN_OWNER" && stateValue(state, "frozen") === 1) return "FROZEN";
  return actualEnd > 0 ? "ACTIVITY_COMPLETED" : null;
}

const fill = ({ rules, block, facts }: Case, keep: (skipped: number) => boolean = () => true) =>
  fillOwners(rules, block, facts, activityOf, keep);

describe("fillOwners", () => {
  test("lets the first rule that gives somebody decide, as a plain second method does, in 3,000 random cases", () => {
    let changes = 0;
    let skips = 0;
    for (let seed = 1; seed <= 3_000; seed++) {
      const made = makeCase(seed);
      const expected = plainly(made);
      const result = fill(made);
      const outcomeOf = new Map<string, string>();
      for (const { duId, target, outcome } of result.rows)
        target.forEach((place, at) => {
          const { a, f } = result.targets[place]!;
          outcomeOf.set(`${duId} ${a - 100} ${f}`, outcomes[outcome[at]!]!);
        });
      for (const [key, told] of expected) {
        const [duId, slot, field] = key.split(" ") as [string, string, RuleField];
        const value = made.block[ruleFields[field]][(Number(duId) - 1) * width + Number(slot)]!;
        expect({ key, seed, value: peopleOf(value), outcome: outcomeOf.get(key) ?? null }).toEqual({ key, seed, ...told });
      }
      const all = [...expected.values()];
      const changed = all.filter(({ outcome }) => outcome === "CHANGED").length;
      expect(result.rules.reduce((sum, rule) => sum + rule.changed, 0)).toBe(changed);
      changes += changed;
      skips += all.filter(({ outcome }) => outcome !== null && outcome !== "CHANGED").length;
      // Nothing changes when the same rules run again.
      keepBefore(made.block);
      expect(fill(made).rules.every((rule) => rule.changed === 0)).toBe(true);
    }
    expect(changes).toBeGreaterThan(5_000);
    expect(skips).toBeGreaterThan(1_000);
  });

  test("counts who matches and gives nobody, and cells of rules that come too late", () => {
    const block = emptyBlock([1, 2], width);
    block.flowIds.fill(1);
    for (const row of [0, 1]) for (let slot = 1; slot < width; slot++) block.state[row * width + slot] = 1;
    keepBefore(block);
    const rule = (id: number): OwnerRunRule => ({
      id,
      name: `Rule ${id}`,
      writes: true,
      flowIds: [1],
      slots: new Set([1]),
      ownerFields: ["PLAN_OWNER"],
      overwrite: false,
    });
    const facts = { holds: [Uint8Array.of(1, 1), Uint8Array.of(1, 1)], people: [Int32Array.of(1, 0), Int32Array.of(2, 2)], members };
    const { rules, scope, matched } = fill({ rules: [rule(1), rule(2)], block, facts });
    expect({ scope, matched }).toEqual({ scope: 2, matched: 2 });
    expect(rules).toMatchObject([
      { id: 1, matched: 2, changed: 1, sourceEmpty: 1, superseded: 0 },
      { id: 2, matched: 2, changed: 1, sourceEmpty: 0, superseded: 1 },
    ]);
  });

  test("keeps the cells it could not fill as far as it is asked to, those it filled always", () => {
    const made = makeCase(7);
    const kept = fill(makeCase(7), () => false).rows.flatMap(({ outcome }) => outcome);
    expect(kept.every((outcome) => outcome === 0)).toBe(true);
    expect(kept).toHaveLength([...plainly(made).values()].filter(({ outcome }) => outcome === "CHANGED").length);
  });
});
