import type { Happening } from '../read/happenings.ts';
import type { Window } from '../read/prometheus.ts';
import { escaped, px } from './markup.ts';
import { timeTicks } from './scale.ts';
import { colorNamed } from './theme.ts';

/** What charts show, and what happened meanwhile. */
export interface Shown extends Window {
  readonly happenings: readonly Happening[];
}

/** A chart's place for axes and lines. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Where the chart begins and ends, from the left. */
  readonly left: number;
  readonly right: number;
  /** From a time to a place from the left. */
  readonly x: (atSeconds: number) => number;
  /** From a part of the height, 0 to 1 from below, to a place from the top. */
  readonly y: (part: number) => number;
}

const LEFT = 64;
const RIGHT = 10;
const TOP = 12;
const BOTTOM = 20;
const PX_FOR_TIME = 90;

export function frameOf(width: number, height: number, window: Window): Frame {
  const { fromSeconds, untilSeconds } = window;
  const perSecond = (width - LEFT - RIGHT) / (untilSeconds - fromSeconds);
  return {
    width,
    height,
    left: LEFT,
    right: width - RIGHT,
    x: (at) => LEFT + (at - fromSeconds) * perSecond,
    y: (part) => height - BOTTOM - part * (height - TOP - BOTTOM),
  };
}

/** The SVG with its axes: times below, and what stands to the left at parts of the height. */
export function framed(
  frame: Frame,
  window: Shown,
  marks: readonly { readonly part: number; readonly text: string }[],
  content: string,
): string {
  const { width, height, left, right, x, y } = frame;
  const across = marks.map(
    ({ part, text }) =>
      `<path class="grid" d="M${left} ${px(y(part))}H${px(right)}"/>` +
      `<text x="${left - 6}" y="${px(y(part) + 4)}" text-anchor="end">${escaped(text)}</text>`,
  );
  const down = timeTicks(window, width / PX_FOR_TIME).map(
    ({ at, text }) =>
      `<path class="grid" d="M${px(x(at))} ${px(y(1))}V${px(y(0))}"/>` +
      `<text x="${px(x(at))}" y="${px(height - 5)}" text-anchor="middle">${text}</text>`,
  );
  const events = window.happenings.map(
    ({ atSeconds, color }) =>
      `<path class="happening" stroke="${colorNamed(color)}" d="M${px(x(atSeconds))} ${px(y(1))}V${px(y(0))}"/>`,
  );
  return `<svg width="${px(width)}" height="${px(height)}">${across.join('')}${down.join('')}${content}${events.join('')}</svg>`;
}
