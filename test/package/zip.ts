import yauzl from "yauzl";

/** Names and contents of the files in a zip archive. @throws Error when it cannot be read. */
export function readZip(path: string): Promise<Map<string, Buffer>> {
  return new Promise((done, fail) => {
    yauzl.open(path, { lazyEntries: true }, (error, zip) => {
      if (error) return fail(error);
      const files = new Map<string, Buffer>();
      zip.on("error", fail);
      zip.on("end", () => done(files));
      zip.on("entry", (entry: yauzl.Entry) => {
        if (entry.fileName.endsWith("/")) return zip.readEntry();
        zip.openReadStream(entry, (problem, stream) => {
          if (problem) return fail(problem);
          const chunks: Buffer[] = [];
          stream.on("data", (chunk: Buffer) => chunks.push(chunk));
          stream.on("error", fail);
          stream.on("end", () => {
            files.set(entry.fileName, Buffer.concat(chunks));
            zip.readEntry();
          });
        });
      });
      zip.readEntry();
    });
  });
}
