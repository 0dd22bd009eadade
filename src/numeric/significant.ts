/**
 * The number to so many significant digits: logs keep what a 32-bit float holds (7) and not the tail
 * that its conversion to 64 bits makes up. Not finite numbers stay as they are.
 */
export function significant(x: number, digits: number): number {
  return Number(x.toPrecision(digits));
}
