import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arraysText } from "#lib/core/arrays-text.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { planFields, type StateBit, slotMax, stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import {
  activityStatus,
  bitMask,
  cellField,
  cellNumber,
  cellSlot,
  columnRows,
  decodeDays,
  decodeTileRow,
  deriveRow,
  diffBlock,
  duStatus,
  emptyBlock,
  encodeDays,
  encodeTileRow,
  hiddenDay,
  keepBefore,
  readArrayText,
  setCell,
  stateValue,
  withState,
} from "#lib/rollout-plan/plan-rows/logic.ts";

const day = dayNumber;
const today = day("2026-10-14");

describe("cell numbers", () => {
  it("packs slot and field so that the highest slot fits a smallint", () => {
    expect([cellNumber(7, "planEnd"), cellNumber(7, "planOwner")]).toEqual([114, 122]);
    expect(cellNumber(slotMax, "attrOwner")).toBeLessThanOrEqual(32_767);
  });
  it("unpacks what it packed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: slotMax }), fc.constantFrom(...planFields), (slot, field) => {
        const cell = cellNumber(slot, field);
        expect([cellSlot(cell), cellField(cell)]).toEqual([slot, field]);
      }),
    );
  });
});

describe("state bits", () => {
  it("overlap nowhere and leave the sign free", () => {
    const masks = Object.keys(stateBits).map((bit) => bitMask(bit as StateBit));
    expect(masks.reduce((all, mask) => all + mask, 0)).toBe(masks.reduce((all, mask) => all | mask, 0));
    expect(Math.max(...masks)).toBeLessThan(2 ** 30);
  });
  it("keep the other groups when one is set", () => {
    const bits = Object.keys(stateBits) as StateBit[];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 21 - 1 }), fc.constantFrom(...bits), fc.nat(7), (state, bit, given) => {
        const value = given & ((1 << stateBits[bit].width) - 1);
        const changed = withState(state, bit, value);
        expect(stateValue(changed, bit)).toBe(value);
        for (const other of bits) if (other !== bit) expect(stateValue(changed, other)).toBe(stateValue(state, other));
      }),
    );
  });
});

describe("[RPL-13] activity status", () => {
  it.each([
    ["na", withState(1, "na", 1), "2026-10-13", "2026-10-13"],
    ["inv", withState(1, "na", 2), null, null],
    ["closed", withState(1, "closed", 1), "2026-10-13", "2026-10-13"],
    ["approving", withState(1, "approval", 2), "2026-10-13", "2026-10-13"],
    ["completed", 1, "2026-10-13", "2026-10-14"],
    ["notPlanned", 1, null, null],
    ["delayed", 1, "2026-10-13", null],
    ["within7", 1, "2026-10-14", null],
    ["within7", 1, "2026-10-21", null],
    ["after7", 1, "2026-10-22", null],
  ])("%s", (status, state, planEnd, actualEnd) => expect(activityStatus(state, day(planEnd), day(actualEnd), today)).toBe(status));
});

describe("DU status", () => {
  it.each([
    ["noFlow", null, 0, 0, 0],
    ["notApplicable", 1, 0, 0, 0],
    ["completed", 1, 3, 3, 0],
    ["notPlanned", 1, 3, 1, 0],
    ["delayed", 1, 3, 1, today - 1],
    ["within7", 1, 3, 1, today],
    ["within7", 1, 3, 1, today + 7],
    ["after7", 1, 3, 1, today + 8],
  ])("%s", (status, flowId, applicableCount, doneCount, nextPlanEnd) =>
    expect(duStatus({ flowId, applicableCount, doneCount, nextPlanEnd }, today)).toBe(status));
});

describe("derived columns", () => {
  it("look at applicable activities only [RPL-10]", () => {
    const block = emptyBlock([1], 6);
    const rows: [slot: number, state: number, planEnd: number, actualEnd: number][] = [
      [1, 1, 100, 90],
      [2, 1, 110, 0],
      [3, 1, 105, 0],
      [4, withState(1, "na", 1), 50, 0],
      [5, 0, 200, 95],
    ];
    for (const [slot, state, planEnd, actualEnd] of rows) {
      setCell(block, 0, slot, "state", state);
      setCell(block, 0, slot, "planEnd", planEnd);
      setCell(block, 0, slot, "actualEnd", actualEnd);
    }
    expect(deriveRow(block, 0, { ic: [1], decom: [5] })).toEqual({
      lastPlanEnd: 110,
      nextPlanEnd: 105,
      icActualEnd: 90,
      decomActualEnd: 0,
      doneCount: 1,
      applicableCount: 3,
    });
  });
});

describe("changed cells", () => {
  it("come packed as the log holds them: plan end of slot 7 from 10-14 to 10-19, owner set 3 to 8", () => {
    const block = emptyBlock([5], 8);
    setCell(block, 0, 7, "planEnd", day("2026-10-14"));
    setCell(block, 0, 7, "planOwner", 3);
    keepBefore(block);
    setCell(block, 0, 7, "planEnd", day("2026-10-19"));
    setCell(block, 0, 7, "planOwner", 8);
    expect(diffBlock(block)).toEqual([{ row: 0, cells: [114, 122], old: [9783, 3], new: [9788, 8] }]);
  });
  it("agree with a comparison cell by cell", () => {
    const edit = fc.record({
      row: fc.nat(2),
      slot: fc.integer({ min: 1, max: 5 }),
      field: fc.constantFrom(...planFields),
      value: fc.nat(60_000),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 20 }), fc.array(edit, { maxLength: 20 }), (first, then) => {
        const block = emptyBlock([1, 2, 3], 6);
        for (const { row, slot, field, value } of first) setCell(block, row, slot, field, value);
        keepBefore(block);
        const before = new Map(first.map(({ row, slot, field, value }) => [`${row} ${cellNumber(slot, field)}`, value]));
        const after = new Map(before);
        for (const { row, slot, field, value } of then) {
          setCell(block, row, slot, field, value);
          after.set(`${row} ${cellNumber(slot, field)}`, value);
        }
        const expected = [...after]
          .filter(([key, value]) => (before.get(key) ?? 0) !== value)
          .map(([key, value]) => `${key} ${before.get(key) ?? 0} ${value}`);
        const found = diffBlock(block).flatMap((diff) => diff.cells.map((cell, i) => `${diff.row} ${cell} ${diff.old[i]} ${diff.new[i]}`));
        expect(found.sort()).toEqual(expected.sort());
      }),
    );
  });
});

describe("array texts", () => {
  it("end at the highest used slot and are empty when nothing is set", () => {
    const column = Uint16Array.from([0, 0, 5, 0, 0, 0, 0, 0, 0, 10, 9, 100]);
    expect(arraysText(columnRows(column, [0, 1, 2], 4), "")).toBe("{0,5}||{10,9,100}");
    expect(arraysText(columnRows(column, [2, 0], 4), "")).toBe("{10,9,100}|{0,5}");
    expect(arraysText(columnRows(column, [0, 0, 1, 1, 2, 2], 4), "")).toBe("{0,5}|{0,5}|||{10,9,100}|{10,9,100}");
  });
  it("read back what they wrote", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(2_147_483_647), { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 6 }), (rows) => {
        const column = Int32Array.from(rows.flatMap((values) => [0, ...values]));
        const back = new Int32Array(column.length);
        const texts = arraysText(columnRows(column, [...rows.keys()], 6), "").split("|");
        texts.forEach((text, row) => {
          readArrayText(text || null, back, row, 6);
        });
        expect([...back]).toEqual([...column]);
      }),
    );
  });
  it("refuse an array longer than the row", () => {
    expect(() => readArrayText("{1,2,3}", new Uint16Array(3), 0, 3)).toThrow(RangeError);
    expect(() => readArrayText("{1,2}", new Uint16Array(3), 0, 3)).not.toThrow();
  });
});

describe("tile rows", () => {
  it("hold days as differences: plan 10-14..10-16, no actual, baseline 10-12..10-14", () => {
    const days = ["2026-10-14", "2026-10-16", null, null, "2026-10-12", "2026-10-14"].map(day);
    expect(encodeDays(days)).toEqual([19567, 5, 0, 0, 8, 5]);
    expect([...decodeDays([19567, 5, 0, 0, 8, 5])].map(isoDay)).toEqual([
      "2026-10-14",
      "2026-10-16",
      null,
      null,
      "2026-10-12",
      "2026-10-14",
    ]);
  });
  it("give back any days", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 32_767 }), { maxLength: 80 }), (days) => {
        expect([...decodeDays(encodeDays(days))]).toEqual(days);
      }),
    );
  });
  it("decode to the block's values in the order of the flow", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ slot: fc.integer({ min: 1, max: 9 }), field: fc.constantFrom(...planFields), value: fc.nat(32_767) }), {
          maxLength: 40,
        }),
        fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (cells, slots) => {
          const block = emptyBlock([77], 10);
          block.versions[0] = 4;
          block.flowIds[0] = 12;
          block.flowVersions[0] = 3;
          block.releaseStates[0] = 2;
          for (const { slot, field, value } of cells) setCell(block, 0, slot, field, value);
          const row = decodeTileRow(encodeTileRow(block, 0, slots, { released: true }));
          expect([row.duId, row.flowId, row.flowVersion, row.rowVersion, row.releaseState]).toEqual([77, 12, 3, 4, 2]);
          slots.forEach((slot, i) => {
            expect(row.states[i]).toBe(block.state[slot]);
            expect([...row.dates.slice(i * 6, i * 6 + 6)]).toEqual(planFields.slice(0, 6).map((field) => block[field][slot]));
            expect([...row.owners.slice(i * 3, i * 3 + 3)]).toEqual([
              block.planOwner[slot],
              block.actualOwner[slot],
              block.attrOwner[slot],
            ]);
            expect([...row.released!.slice(i * 2, i * 2 + 2)]).toEqual([block.releasedStart[slot], block.releasedEnd[slot]]);
          });
        },
      ),
    );
  });
  it("keep their values while thousands of others are decoded", () => {
    const block = emptyBlock([1], 61);
    const slots = Array.from({ length: 60 }, (_, at) => at + 1);
    const decode = (value: number) => {
      for (const slot of slots) for (const field of planFields) setCell(block, 0, slot, field, value + slot);
      return decodeTileRow(encodeTileRow(block, 0, slots, { released: true }));
    };
    const rows = Array.from({ length: 2_000 }, (_, at) => decode(at));
    const expected = (value: number, kinds: number) => slots.flatMap((slot) => Array<number>(kinds).fill(value + slot));
    rows.forEach(({ states, dates, owners, released }, at) => {
      expect([...states, ...dates, ...owners, ...released!]).toEqual([1, 6, 3, 2].flatMap((kinds) => expected(at, kinds)));
    });
  });
  it("hide the plan where it is hidden", () => {
    const block = emptyBlock([1], 3);
    setCell(block, 0, 1, "planEnd", 9783);
    setCell(block, 0, 1, "planOwner", 4);
    const { dates, owners } = decodeTileRow(encodeTileRow(block, 0, [1], { hidePlan: true }));
    expect([[...dates], [...owners]]).toEqual([Array(6).fill(hiddenDay), [-1, -1, -1]]);
  });
});
