export function countWords(text: string): number;
