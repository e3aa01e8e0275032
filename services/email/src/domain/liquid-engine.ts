import { Context, Liquid } from 'liquidjs';
import { escapeHtml } from '../escape-html.ts';

/** A part of a mail (subject, text, html) cannot be longer, nor can what values print into it. */
export const MAX_RENDERED_LENGTH = 512 * 1024;

/** Bound of liquidjs on what one rendering creates: ranges, appended strings, arrays. */
const MEMORY_LIMIT = 500_000;
/** Tags, values and turns of loops that one rendering may go through. Some tenths of a second. */
const MAX_STEPS = 100_000;
/** For steps that are long ones, such as a comparison of long lists. The mails of no honest template come near it. */
const MAX_RENDER_MS = 3_000;
const MAX_TEMPLATE_LENGTH = 100_000;
/** They read other templates, and there are none. */
const TAGS_THAT_READ_FILES = ['include', 'render', 'layout', 'block'];

/** A template of one part of a mail, ready to be rendered. */
export interface CompiledPart {
  /** @throws whatever liquidjs throws, and RangeError for too long a result or too many steps */
  render(data: object): string;
}

/**
 * Liquid without access to files, prototypes or code. A variable that is not there is an error, but in conditions and
 * before `default`.
 * @param escaped html: what values print is escaped, unless the template says `raw`
 * @throws whatever liquidjs throws for a template with mistakes
 */
export function compilePart(source: string, escaped: 'html' | 'nothing'): CompiledPart {
  let printed = 0;
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    templates: {},
    parseLimit: MAX_TEMPLATE_LENGTH,
    memoryLimit: MEMORY_LIMIT,
    renderLimit: MAX_RENDER_MS,
    // The same on every machine.
    locale: 'en-US',
    timezoneOffset: 0,
    outputEscape: (value: unknown) => {
      const text = textOf(value);
      printed = checkLength(printed + text.length);
      return escaped === 'html' ? escapeHtml(text) : text;
    },
  });
  for (const tag of TAGS_THAT_READ_FILES) delete engine.tags[tag];
  const template = engine.parse(source);
  return {
    render(data) {
      printed = 0;
      const text = String(engine.renderSync(template, contextOf(engine, data)));
      checkLength(text.length);
      return text;
    },
  };
}

/**
 * liquidjs bounds what a loop creates and, by the clock, what it takes; turns of loops over the recipient's own data would be
 * bounded by the clock alone. It asks for its limit once for each turn and each tag.
 */
function contextOf(engine: Liquid, data: object): Context {
  const context = new Context(data, engine.options, { sync: true }, { liquid: engine });
  const { renderLimit } = context;
  const checkTime = renderLimit.check.bind(renderLimit);
  let steps = 0;
  renderLimit.check = (nowMs) => {
    steps += 1;
    if (steps > MAX_STEPS) throw new RangeError(`step limit exceeded: more than ${MAX_STEPS}`);
    checkTime(nowMs);
  };
  return context;
}

/** liquidjs does not bound what is printed: a loop over a long value could fill the memory. */
function checkLength(length: number): number {
  if (length <= MAX_RENDERED_LENGTH) return length;
  throw new RangeError(`is longer than ${MAX_RENDERED_LENGTH} characters once rendered`);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join('');
  // Data may have a `toString` of its own that is no function.
  return typeof value === 'object' ? '[object Object]' : String(value);
}
