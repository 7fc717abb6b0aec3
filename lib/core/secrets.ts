import "server-only";
import { createHash, createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize("NFKC"), salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key))),
  );
}

/** scrypt hash of a password in the form `scrypt$salt$key`, base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString("base64url")}$${(await derive(password, salt)).toString("base64url")}`;
}

/** Whether a password belongs to a hash; takes as long for a missing hash as for a wrong password. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [kind, salt, key] = (hash ?? `scrypt$${"A".repeat(22)}$${"A".repeat(43)}`).split("$");
  const derived = await derive(password, Buffer.from(salt ?? "", "base64url"));
  const expected = Buffer.from(key ?? "", "base64url");
  return hash !== null && kind === "scrypt" && expected.length === derived.length && timingSafeEqual(derived, expected);
}

/** A new password of an account: 120 bits, 20 characters; shown once, kept as its hash. */
export function newPassword(): string {
  return randomBytes(15).toString("base64url");
}

/** A new API token: shown once, kept as its sha256. */
export function newToken(): { token: string; hash: string } {
  const token = `mp_${randomBytes(32).toString("base64url")}`;
  return { token, hash: tokenHash(token) };
}

/** sha256 of an API token in hex. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** A csrf token of a session: 256 bits, 43 characters. */
export function newCsrfToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The csrf token of an API token: a keyed hash of its id. */
export function tokenCsrf(secret: string, tokenId: number): string {
  return createHmac("sha256", secret).update(`token:${tokenId}`).digest("base64url");
}
