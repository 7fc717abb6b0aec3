// Preloaded into web and worker: they end when the supervisor does, however it ended. What they start themselves, as the development server does with the
// same arguments, has its own parent and its own channel to it, which must stay as it is.
if (process.channel && process.ppid === Number(process.env.MILEPOST_SUPERVISOR)) {
  process.channel.unref();
  process.on("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), 8_000).unref();
  });
}
