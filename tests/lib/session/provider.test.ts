import { beforeAll, describe, expect, it } from "vitest";
import { accountOfProvider, type ProviderProfile } from "#lib/session/commands.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { makeUser } from "../../support/factories.ts";

const db = useDatabase();
const frame = { ip: "127.0.0.1", now: clock, requestId: "request-1" };
const issuer = "https://login.example.com";
const ask = (given: Partial<ProviderProfile>) =>
  accountOfProvider({ issuer, subject: "s-1", account: null, email: null, emailVerified: false, ...given }, frame);

let lin: number;
beforeAll(async () => {
  lin = (await makeUser(db.app, { account: "lin" })).id;
});

describe("the account of a person the identity provider vouches for", () => {
  it("is found by its name in any letter case, and by its subject alone from then on", async () => {
    expect((await ask({ subject: "lin-1", account: "LIN" }))?.id).toBe(lin);
    expect((await ask({ subject: "lin-1" }))?.id).toBe(lin);
    expect((await ask({ subject: "lin-1", account: "somebody", email: "else@example.com", emailVerified: true }))?.id).toBe(lin);
  });

  it("opens to no second subject, whatever name or verified address it comes with", async () => {
    expect(await ask({ subject: "lin-2", account: "lin" })).toBeNull();
    expect(await ask({ subject: "lin-2", email: "lin@example.com", emailVerified: true })).toBeNull();
    // Another provider links for itself.
    expect((await ask({ issuer: "https://other.example.com", subject: "lin-2", account: "lin" }))?.id).toBe(lin);
  });

  it("is not found by an address nobody has verified, nor by an empty name or address", async () => {
    const bare = await makeUser(db.app, { account: "bare" });
    await db.app`update app_user set email = '' where id = ${bare.id}`;
    expect(await ask({ subject: "b-1", email: "bare@example.com" })).toBeNull();
    expect(await ask({ subject: "b-1", account: "", email: "", emailVerified: true })).toBeNull();
    await db.app`update app_user set email = 'bare@example.com' where id = ${bare.id}`;
    expect((await ask({ subject: "b-1", email: "Bare@Example.com", emailVerified: true }))?.id).toBe(bare.id);
  });

  it("is refused while it is off or its agreement has ended, linked or not, and without a subject", async () => {
    const sub = await makeUser(db.app, { account: "sub", kind: "subcontractor" });
    await db.app`update app_user set dpa_expires_on = '2026-10-14' where id = ${sub.id}`;
    expect((await ask({ subject: "sub-1", account: "sub" }))?.id).toBe(sub.id);
    await db.app`update app_user set dpa_expires_on = '2026-10-13' where id = ${sub.id}`;
    expect(await ask({ subject: "sub-1", account: "sub" })).toBeNull();
    const off = await makeUser(db.app, { account: "off", active: false });
    expect(await ask({ subject: "off-1", account: "off" })).toBeNull();
    expect(await ask({ subject: "", account: "lin" })).toBeNull();
    expect(await db.owner`select 1 from user_identity where user_id = ${off.id}`).toHaveLength(0);
    expect(await db.owner`select 1 from audit_log where event = 'sign_in_failed' and object = 'identity off-1'`).toHaveLength(1);
  });

  it("is linked to one of two that come at once", async () => {
    const user = await makeUser(db.app, { account: "race" });
    const answers = await Promise.all(["r-1", "r-2"].map((subject) => ask({ subject, account: "race" })));
    expect(answers.filter((answer) => answer?.id === user.id)).toHaveLength(1);
    expect(await db.owner`select 1 from user_identity where user_id = ${user.id}`).toHaveLength(1);
  });
});
