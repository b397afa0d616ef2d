// The entry: tells in a few lines what this process is, and loads only that.
// No static imports: `--version` and `--help` must cost what an empty program costs.

const [first, ...rest] = Bun.argv.slice(2);
if (!Bun.isMainThread) {
  const { serve } = await import("./search/worker.ts");
  serve();
} else if (rest.length === 0 && (first === "--version" || first === "-v")) {
  const { version } = await import("./cli/version.ts");
  console.log(`burin ${version()}`);
} else if (rest.length === 0 && (first === "--help" || first === "-h" || first === "help")) {
  const help = await import("./data/help.txt", { with: { type: "text" } });
  console.log(help.default.trimEnd());
} else if (first === "__watch") {
  // WATCH_ARGUMENT of host/watch.ts, written out: importing it would load it for every command.
  const { watch } = await import("./host/watch.ts");
  process.exit(await watch(rest));
} else {
  const { main } = await import("./cli/main.ts");
  process.exit(await main(Bun.argv.slice(2)));
}
