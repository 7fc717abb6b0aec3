import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

/** What the thread is given once, and for every solve: a model and the settings, as bytes. It answers with bytes, or with the words of a failure. */
export type ExactFolder = { folder: string; megabytes: number };
export type ExactQuestion = { model: Uint8Array; settings: Uint8Array };

/** What is used of the solver's runtime. */
type Runtime = {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(at: number): void;
  _free_buffer(at: number): void;
  ccall(name: string, gives: string, takes: string[], given: number[], how: { async: true }): Promise<number>;
};

const PAGES_PER_MEGABYTE = 16;

const { folder, megabytes } = workerData as ExactFolder;
const { default: create } = (await import(pathToFileURL(join(folder, "cp_sat_runtime_node.js")).href)) as {
  default: (given: object) => Promise<Runtime>;
};
const runtime = await create({
  locateFile: (name: string) => join(folder, name),
  // It cannot grow beyond this, whatever a model asks for.
  wasmMemory: new WebAssembly.Memory({ initial: 256, maximum: megabytes * PAGES_PER_MEGABYTE, shared: true }),
  // It talks to nobody.
  print: () => {},
  printErr: () => {},
});

async function solve({ model, settings }: ExactQuestion): Promise<Uint8Array> {
  const place = (bytes: Uint8Array) => {
    const at = runtime._malloc(bytes.length);
    runtime.HEAPU8.set(bytes, at);
    return at;
  };
  const length = runtime._malloc(4);
  const given = [place(model), place(settings)] as const;
  const args = [given[0], model.length, given[1], settings.length, length];
  const at = await runtime.ccall(
    "solve_model",
    "number",
    args.map(() => "number"),
    args,
    { async: true },
  );
  const heap = runtime.HEAPU8;
  const size = new DataView(heap.buffer).getUint32(length, true);
  const answer = new Uint8Array(heap.subarray(at, at + size));
  runtime._free_buffer(at);
  for (const one of [length, ...given]) runtime._free(one);
  return answer;
}

parentPort!.on("message", (question: ExactQuestion) => {
  solve(question).then(
    (answer) => parentPort!.postMessage(answer),
    (failure) => parentPort!.postMessage(String(failure)),
  );
});
parentPort!.postMessage("ready");
