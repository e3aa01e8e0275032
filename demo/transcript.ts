import { readFileSync, writeFileSync } from 'node:fs';
import type { Story } from './stories.ts';

type Place = Pick<Story, 'document' | 'command'>;

const fileOf = ({ document }: Place) => new URL(`../${document}`, import.meta.url);

/** The transcript in a story's document, line by line. @throws where that has no place for one */
export function readTranscript(place: Place): string[] {
  const [, , text] = blockOf(place).exec(readFileSync(fileOf(place), 'utf8')) ?? [];
  if (text === undefined) throw new Error(`${place.document} has no place for a transcript`);
  return text.trimEnd().split('\n');
}

/** Puts a transcript into its place. */
export function writeTranscript(place: Place, lines: readonly string[]): void {
  const text = readFileSync(fileOf(place), 'utf8');
  const block = blockOf(place);
  if (!block.test(text)) throw new Error(`${place.document} has no place for a transcript`);
  const body = `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
  writeFileSync(
    fileOf(place),
    text.replace(block, (_, head: string, _old: string, tail: string) => `${head}${body}${tail}`),
  );
}

function blockOf({ command }: Place): RegExp {
  return new RegExp(`(<!-- ${command} -->\\n\`\`\`\\n)(.*?)(\`\`\`\\n)`, 's');
}

/** A line without what differs from run to run: ids and times, who it was, and who was met on the way. */
export function normalise(line: string): string {
  return line
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\d+\.\d s\b/g, '<time>')
    .replaceAll(/\d+ were not meant/g, '<n> were not meant')
    .replaceAll(/^( *place +)\d+/g, '$1<n>')
    .replaceAll(/\S+@\S+(?= +(?:mail|still))/g, '<who>')
    .replaceAll(/(?<=\S) {2,}/g, '  ')
    .trimEnd();
}
