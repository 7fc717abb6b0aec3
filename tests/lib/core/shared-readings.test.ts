import { describe, expect, it } from "vitest";
import { SharedReadings } from "#lib/core/shared-readings.ts";

/**
 * A store whose state is told, and whose readings end when they are let go.
 * @param restless its state is another one whenever it is asked for
 */
function store({ max = 10, restless = false } = {}) {
  const shared = new SharedReadings<string>(max);
  const begun: { state: number; done: (value: string) => void; fail: (error: Error) => void }[] = [];
  let state = restless ? 0 : 1;
  return {
    begun,
    change: () => {
      state++;
    },
    ask: (question = "a") =>
      shared.read(
        question,
        async () => (restless ? ++state : state),
        (present) => new Promise<string>((done, fail) => begun.push({ state: present, done, fail })),
      ),
  };
}

/** Until what was asked has come as far as it can. */
const pause = () => new Promise((done) => setTimeout(done, 5));

/** A reading of a first state still runs when two more ask, the state being another one. */
async function askMeanwhile(options = {}) {
  const { ask, begun, change } = store(options);
  const early = ask();
  early.catch(() => {});
  await pause();
  change();
  const late = [ask(), ask()];
  await pause();
  return { ask, begun, change, early, late };
}

describe("what many ask for alike", () => {
  it("is read once for all who ask while it is being read, and for all after them until the state changes", async () => {
    const { ask, begun, change } = store();
    const asked = [ask(), ask(), ask()];
    await pause();
    expect(begun.map(({ state }) => state)).toEqual([1]);
    begun[0]!.done("first");
    expect(await Promise.all(asked)).toEqual(["first", "first", "first"]);
    expect(await ask()).toBe("first");
    expect(begun).toHaveLength(1);
    change();
    const after = ask();
    await pause();
    expect(begun.map(({ state }) => state)).toEqual([1, 2]);
    begun[1]!.done("second");
    expect(await after).toBe("second");
  });

  it("is read once at a time: who comes during a reading of an older state waits for one that begins after it, with all others who do", async () => {
    const { ask, begun, change, early, late } = await askMeanwhile();
    change();
    late.push(ask());
    await pause();
    expect(begun.map(({ state }) => state)).toEqual([1]);
    begun[0]!.done("old");
    expect(await early).toBe("old");
    await pause();
    expect(begun.map(({ state }) => state)).toEqual([1, 3]);
    begun[1]!.done("new");
    expect(await Promise.all(late)).toEqual(["new", "new", "new"]);
  });

  it("is enough for who asked before its reading began, though the state has changed since", async () => {
    const { begun, early, late } = await askMeanwhile({ restless: true });
    begun[0]!.done("old");
    expect(await early).toBe("old");
    await pause();
    begun[1]!.done("new");
    await pause();
    expect(begun).toHaveLength(2);
    expect(await Promise.all(late)).toEqual(["new", "new"]);
  });

  it("is read anew after a failure, which all who waited are told", async () => {
    const { ask, begun } = store();
    const asked = [ask(), ask()];
    await pause();
    begun[0]!.fail(new Error("lost"));
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const again = ask();
    await pause();
    begun[1]!.done("there");
    expect(await again).toBe("there");
  });

  it("waits for a failed reading of an older state without failing with it", async () => {
    const { begun, early, late } = await askMeanwhile();
    begun[0]!.fail(new Error("lost"));
    await expect(early).rejects.toThrow("lost");
    await pause();
    begun[1]!.done("there");
    expect(await Promise.all(late)).toEqual(["there", "there"]);
  });

  it("is forgotten beyond the number kept, what was not asked for longest first", async () => {
    const { ask, begun } = store({ max: 2 });
    const read = async (question: string) => {
      const answer = ask(question);
      await pause();
      begun.at(-1)!.done(question);
      return answer;
    };
    await read("a");
    await read("b");
    await ask("a");
    await read("c");
    expect(begun).toHaveLength(3);
    await ask("a");
    await ask("c");
    expect(begun).toHaveLength(3);
    await read("b");
    expect(begun).toHaveLength(4);
  });
});
