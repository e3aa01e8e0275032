import type { GridPosition } from '../read/dashboard-file.ts';

/** In pixels, from the upper left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const COLUMNS = 24;
const ROW_HEIGHT = 30;
/** Between panels, and around all of them. */
export const GAP = 8;

/** Where Grafana puts a panel on a page of this width. */
export function boxOf({ x, y, w, h }: GridPosition, pageWidth: number): Box {
  const column = (pageWidth - GAP * (COLUMNS + 1)) / COLUMNS;
  return {
    left: GAP + x * (column + GAP),
    top: GAP + y * (ROW_HEIGHT + GAP),
    width: w * (column + GAP) - GAP,
    height: h * (ROW_HEIGHT + GAP) - GAP,
  };
}

/** From the top of the grid to below its last panel. */
export const gridHeight = (positions: readonly GridPosition[]): number =>
  GAP + Math.max(0, ...positions.map(({ y, h }) => y + h)) * (ROW_HEIGHT + GAP);
