/** Of a diagram's source; beyond, nothing is drawn. */
export const diagramLimits = {
  chars: 20_000,
  edges: 280,
  /** What drawing one may take, its kind's own modules included. */
  drawMs: 8_000,
  /** What loading Mermaid may take. */
  loadMs: 30_000,
  /** Of the picture that comes back. */
  svgChars: 2_000_000,
} as const
