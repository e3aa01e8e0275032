import type { sendCampaign } from '@warren/catalog';
import type { PayloadOutput } from '@warren/contracts';
import { LiquidError, ParseError, TokenizationError } from 'liquidjs';
import { type CompiledPart, compilePart } from './liquid-engine.ts';

export type CampaignTemplate = PayloadOutput<typeof sendCampaign>['template'];

/** A template cannot be read, or not be rendered with some data. The message shows nothing of the data. */
export class TemplateError extends Error {
  constructor(part: string, problem: string) {
    super(`template.${part}: ${problem}`);
    this.name = 'TemplateError';
  }
}

/** What a template makes of one recipient's data. */
export interface RenderedMail {
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

/** @throws TemplateError */
export type RenderMail = (data: object) => RenderedMail;

const NO_DATA = {};

/**
 * Reads a template's parts once, to be rendered for many.
 * @throws TemplateError
 */
export function compileTemplate({ subject, text, html }: CampaignTemplate): RenderMail {
  const subjectOf = compile('subject', subject);
  const textOf = text === undefined ? undefined : compile('text', text);
  const htmlOf = html === undefined ? undefined : compile('html', html);
  return (data = NO_DATA) => ({
    subject: subjectOf(data),
    ...(textOf && { text: textOf(data) }),
    ...(htmlOf && { html: htmlOf(data) }),
  });
}

function compile(part: 'subject' | 'text' | 'html', source: string): (data: object) => string {
  const { render } = naming(part, source, () =>
    compilePart(source, part === 'html' ? 'html' : 'nothing'),
  ) satisfies CompiledPart;
  return (data) => naming(part, source, () => render(data));
}

function naming<T>(part: string, source: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new TemplateError(part, problemOf(error, source));
  }
}

/** Messages about the template itself speak of nothing else; those of a rendering may quote data. */
function problemOf(error: unknown, source: string): string {
  if (error instanceof RangeError) return error.message;
  if (!(error instanceof LiquidError)) return 'cannot be rendered';
  if (error instanceof ParseError || error instanceof TokenizationError) return firstLine(error);
  const { originalError } = error;
  if (originalError instanceof RangeError) return originalError.message;
  const name = (originalError as { variableName?: unknown } | undefined)?.variableName;
  // Only a name that is written there: others are computed, so that a value may be part of them.
  if (typeof name === 'string') {
    return source.includes(name) ? `undefined variable: ${name}` : 'undefined variable';
  }
  return /limit exceeded/.test(error.message) ? firstLine(error) : 'cannot be rendered';
}

function firstLine({ message }: Error): string {
  return message.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
