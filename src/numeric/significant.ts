/**
 * The number rounded to this many significant digits: logs keep the precision of a 32-bit float (7)
 * and not the digits that its conversion to 64 bits adds. Numbers that are not finite are
 * unchanged.
 */
export function significant(x: number, digits: number): number {
  return Number(x.toPrecision(digits));
}
