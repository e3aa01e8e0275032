/** Is a version such as `3.10.8` or `4.3.0-rc.1` at least `major.minor`? Unknown versions are taken for old ones. */
export function isAtLeast(version: string | undefined, major: number, minor: number): boolean {
  const match = /^(\d+)\.(\d+)/.exec(version ?? '');
  if (!match) return false;
  const [actualMajor, actualMinor] = [Number(match[1]), Number(match[2])];
  return actualMajor > major || (actualMajor === major && actualMinor >= minor);
}
