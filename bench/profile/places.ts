import type { CallFrame } from './profiles.ts';

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/;
const OWN = /\/((?:libs|services)\/[^/]+|bench)\//;

/** A function with its file and line; what is built in has its name alone. */
export function functionOf({ functionName, url, lineNumber }: CallFrame): string {
  if (url === '') return functionName || '(anonymous)';
  return `${functionName || '(anonymous)'} ${shorten(url)}:${lineNumber + 1}`;
}

/** The lib, service, package or part of Node that a function is of; what is built in is by itself. */
export function ownerOf({ functionName, url }: CallFrame): string {
  if (url === '') return functionName || '(anonymous)';
  if (url.startsWith('node:')) return `node:${/^node:(?:internal\/)?([\w-]+)/.exec(url)?.[1]}`;
  return PACKAGE.exec(url)?.[1] ?? OWN.exec(url)?.[1] ?? url;
}

function shorten(url: string): string {
  return url.replace(/^.*\/(?=(?:node_modules|libs|services|bench)\/)/, '');
}
