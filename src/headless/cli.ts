/** The command `firedrill`. */
import { EXIT } from "./io";
import { main } from "./main";
import { processIo } from "./process-io";

// A reader that has seen enough closes the pipe: that is no failure. A full disk is.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? EXIT.done);
  process.stderr.write(
    `Standard output could not be written (${error.message}); free some space or send it elsewhere.\n`,
  );
  process.exit(EXIT.couldNotRun);
});

// Nobody can be told when standard error itself cannot be written; the exit code still says how it went.
process.stderr.on("error", () => {});

main(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
