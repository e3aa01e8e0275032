/** A line's bytes without its end, or `undefined` for one that is longer than the limit. */
export type Line = Buffer | undefined;

const LINE_FEED = 0x0a;

/** Cuts a stream into lines. Keeps no more than one line's worth of bytes; what exceeds the limit is dropped as it comes. */
export class LineSplitter {
  readonly #limitBytes: number;
  #parts: Buffer[] = [];
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The lines that end in this chunk. Blank ones are left out. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#endLine(lines);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  /** The last line, where the stream did not end with a line feed. */
  end(): Line[] {
    const lines: Line[] = [];
    this.#endLine(lines);
    return lines;
  }

  #keep(part: Buffer): void {
    this.#sizeBytes += part.length;
    if (this.#sizeBytes > this.#limitBytes) this.#parts = [];
    else this.#parts.push(part);
  }

  #endLine(lines: Line[]): void {
    const isTooLong = this.#sizeBytes > this.#limitBytes;
    const [first, ...more] = this.#parts;
    const line = more.length > 0 ? Buffer.concat(this.#parts) : first;
    if (isTooLong) lines.push(undefined);
    else if (line && !isBlank(line)) lines.push(line);
    this.#parts = [];
    this.#sizeBytes = 0;
  }
}

function isBlank(line: Buffer): boolean {
  // JSON's own white space; what else is there makes it a line, if a wrong one.
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
