// Preloaded into web and worker: they end when the supervisor does, however it ended.
if (process.channel) {
  process.channel.unref();
  process.on("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), 8_000).unref();
  });
}
