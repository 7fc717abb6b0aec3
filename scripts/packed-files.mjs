// The files of a build packed ahead: a browser is sent each as small as brotli makes it, and no request waits for the packing. Plain Node.
import { existsSync, readdirSync, statSync } from "node:fs";
import { copyFile, open, readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { extname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const suffix = ".br";
const types = {
  ".js": "application/javascript; charset=UTF-8",
  ".mjs": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
  ".svg": "image/svg+xml",
};
// Named, and not refused by a weight of zero.
const unpacks = /(^|,)\s*br\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/;
// The highest quality saves 2 % more and takes twice as long.
const quality = 10;
const pack = promisify(brotliCompress);

/**
 * Writes a packed copy beside every script, style and drawing of a folder, where it is smaller.
 *
 * @param {string} folder static files of a build
 * @param {string} [former] the same folder of an earlier build: what it has packed of the same content is taken over
 * @param {AbortSignal} [signal]
 */
export async function packFiles(folder, former, signal) {
  const queue = filesOf(folder).filter((path) => extname(path) in types);
  const work = async () => {
    for (let path = queue.pop(); path; path = queue.pop()) {
      signal?.throwIfAborted();
      const bytes = await readFile(join(folder, path));
      const to = join(folder, path + suffix);
      if (former && (await readFile(join(former, path)).catch(() => null))?.equals(bytes)) {
        const taken = await copyFile(join(former, path + suffix), to).then(
          () => true,
          () => false,
        );
        if (taken) continue;
      }
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      const packed = await pack(bytes, { params });
      if (packed.length < bytes.length) await writeFile(to, packed);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/**
 * Answers requests for packed files.
 *
 * @param {string} folder static files of a build, as `packFiles` left them; they do not change while they are served
 * @param {string} address where they stand, with a slash at its end
 * @returns {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => Promise<boolean>} false when the request is
 * left to somebody else: it asks for something else, for a part, or by a browser that does not unpack
 */
export function openPackedFiles(folder, address) {
  const files = new Map(
    filesOf(folder)
      .filter((path) => path.endsWith(suffix))
      .map((path) => {
        const plain = path.slice(0, -suffix.length);
        return [address + plain, { path: join(folder, path), size: statSync(join(folder, path)).size, type: types[extname(plain)] }];
      }),
  );
  return async (request, response) => {
    const { headers, method, url = "" } = request;
    if (method !== "GET" || headers.range !== undefined || !unpacks.test(headers["accept-encoding"] ?? "")) return false;
    const file = files.get(url.split("?", 1)[0]);
    if (!file) return false;
    // A build that has taken the place of this one may have other files.
    const handle = await open(file.path).catch(() => null);
    if (!handle) return false;
    response.writeHead(200, {
      "content-type": file.type,
      "content-encoding": "br",
      "content-length": file.size,
      // The name of a file says what is in it.
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
    });
    // A browser that leaves in the middle is no fault.
    await pipeline(handle.createReadStream(), response).catch(() => {});
    return true;
  };
}

/** The files below a folder, as a part of an address. */
function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
