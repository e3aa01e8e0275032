import { readFileSync, writeFileSync } from 'node:fs';

const README = new URL('../README.md', import.meta.url);
const BLOCK = /(<!-- npm run demo -- --transcript -->\n```\n)(.*?)(```\n)/s;

/** The transcript in the README, line by line. @throws where the README has no place for one */
export function readTranscript(): string[] {
  const [, , text] = BLOCK.exec(readFileSync(README, 'utf8')) ?? [];
  if (text === undefined) throw new Error('README.md has no place for a transcript');
  return text.trimEnd().split('\n');
}

/** Puts a transcript into its place in the README. */
export function writeTranscript(lines: readonly string[]): void {
  const readme = readFileSync(README, 'utf8');
  if (!BLOCK.test(readme)) throw new Error('README.md has no place for a transcript');
  writeFileSync(
    README,
    readme.replace(
      BLOCK,
      (_, head: string, _old: string, tail: string) => `${head}${lines.join('\n')}\n${tail}`,
    ),
  );
}

/** A line without what differs from run to run: ids and times. */
export function normalise(line: string): string {
  return line
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d+\.\d s\b/g, '<time>');
}
