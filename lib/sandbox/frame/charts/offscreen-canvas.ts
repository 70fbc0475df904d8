// Replaces `vega-canvas` when Vega is bundled for the sandbox: text is measured as the browser will draw it.

export const canvas = (width: number, height: number): OffscreenCanvas | null =>
  typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(Math.max(1, width), Math.max(1, height))

export const domCanvas = (width: number, height: number): OffscreenCanvas | null => canvas(width, height)
export const nodeCanvas = (): null => null
/** Pictures in charts remain links that nothing loads. */
export const image = (): null => null
