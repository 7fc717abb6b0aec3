export function heapLimits(name: "web" | "worker"): string[];
export const nodeArguments: Readonly<Record<"web" | "worker", readonly string[]>>;
export function processEnvironment(name: "web" | "worker" | "migrate", env: NodeJS.ProcessEnv, dataDir?: string): NodeJS.ProcessEnv;
