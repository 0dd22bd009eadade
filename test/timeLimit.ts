/**
 * Milliseconds that whatever a test waits for may take. A busy machine takes many times as long as a quiet one, software WebGPU beside
 * a page most of all: libraries' own limits, of one to thirty seconds, say more of the machine than of the page.
 */
export const TIME_LIMIT = 120_000;
