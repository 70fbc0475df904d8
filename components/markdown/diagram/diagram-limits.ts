/**
 * What a diagram may take. The limit is what drawing it takes in its frame; the sizes of its source only spare the frame what is
 * hopeless.
 */
export const diagramLimits = {
  /** Of a diagram's source; beyond, nothing is drawn. */
  chars: 50_000,
  edges: 2_000,
  /** Where the frame has no process of its own, and would keep the page's busy. */
  edgesBeside: 280,
  /** What drawing one may take, its kind's own modules included. */
  drawMs: 20_000,
  /** What loading Mermaid may take. */
  loadMs: 60_000,
  /** Of the picture that comes back. */
  svgChars: 2_000_000,
  /** The longer side of the picture that is drawn to see what it takes. */
  paintedPx: 2_000,
  /** A picture that took longer stays in a sealed frame, away from the page. */
  paintMs: 150,
} as const
