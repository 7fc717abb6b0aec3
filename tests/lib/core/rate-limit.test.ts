import { describe, expect, test } from "vitest";
import { clearHits, countHit } from "#lib/core/rate-limit.ts";
import { useDatabase } from "../../support/database.ts";

const database = useDatabase();
const at = (text: string) => new Date(`2026-10-14T${text}Z`);

async function hit(bucket: string, times: number, now: Date, limit = 60): Promise<string[]> {
  const answers: string[] = [];
  for (let time = 0; time < times; time++)
    answers.push(
      await countHit(database.app, bucket, limit, now).then(
        () => "ok",
        (error) => error.code,
      ),
    );
  return answers;
}

describe("calls of a bucket in a minute", () => {
  test("the sixtieth passes, the sixty-first is refused until the first is a minute old", async () => {
    const answers = await hit("starts:1", 61, at("02:00:10"));
    expect(answers.slice(0, 60)).toEqual(Array(60).fill("ok"));
    expect(answers[60]).toBe("RATE_LIMIT");
    expect(await hit("starts:1", 1, at("02:01:09"))).toEqual(["RATE_LIMIT"]);
    expect(await hit("starts:1", 1, at("02:01:10"))).toEqual(["ok"]);
  });

  test("a burst across a full minute gets through once, not twice", async () => {
    expect(await hit("starts:6", 60, at("02:00:59"))).toEqual(Array(60).fill("ok"));
    expect(new Set(await hit("starts:6", 60, at("02:01:01")))).toEqual(new Set(["RATE_LIMIT"]));
    expect((await hit("starts:6", 61, at("02:01:59"))).filter((answer) => answer === "ok")).toHaveLength(60);
  });

  test("calls leave the count one by one as they grow a minute old", async () => {
    await hit("starts:7", 1, at("02:00:00"), 2);
    await hit("starts:7", 1, at("02:00:30"), 2);
    expect(await hit("starts:7", 2, at("02:01:00"), 2)).toEqual(["ok", "RATE_LIMIT"]);
    expect(await hit("starts:7", 1, at("02:01:30"), 2)).toEqual(["ok"]);
  });

  test("the refusal names the limit and the seconds to wait", async () => {
    await hit("starts:2", 2, at("02:00:40"), 2);
    await expect(countHit(database.app, "starts:2", 2, at("02:00:40"))).rejects.toMatchObject({
      status: 429,
      params: { max: 2, seconds: 60 },
    });
  });

  test("buckets do not count for each other, and calls at once are all counted", async () => {
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => countHit(database.app, "starts:3", 15, at("02:00:00"))));
    expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(15);
    expect(await hit("starts:4", 1, at("02:00:00"), 15)).toEqual(["ok"]);
  });

  test("a bucket may look back an hour", async () => {
    const hour = (now: Date) => countHit(database.app, "feed:1", 2, now, 3_600_000).then(() => "ok");
    expect([await hour(at("02:00:00")), await hour(at("02:30:00"))]).toEqual(["ok", "ok"]);
    await expect(hour(at("02:59:59"))).rejects.toMatchObject({ code: "RATE_LIMIT", params: { max: 2, seconds: 1 } });
    expect(await hour(at("03:00:00"))).toBe("ok");
  });

  test("counters nobody looks back to are removed", async () => {
    await hit("starts:5", 1, at("02:00:00"));
    await clearHits(database.app, at("03:00:00"));
    expect(await database.owner`select 1 from rate_limit where bucket = 'starts:5'`).toHaveLength(1);
    await clearHits(database.app, at("03:00:01"));
    expect(await database.owner`select 1 from rate_limit where bucket = 'starts:5'`).toHaveLength(0);
  });
});
