/**
 * Limits of a diagram. The real limit is the drawing time in its frame; the limits on the source only avoid hopeless
 * attempts.
 */
export const diagramLimits = {
  /** Characters of the source; a longer one is not drawn. */
  chars: 50_000,
  edges: 2_000,
  /** Applies if the frame has no own process and would block the page. */
  edgesBeside: 280,
  /** The most time for drawing one, including loading its kind's modules. */
  drawMs: 20_000,
  /** The most time for loading Mermaid. */
  loadMs: 60_000,
  /** The most characters of the returned picture. */
  svgChars: 2_000_000,
  /** The longer side of the test picture that measures the paint time. */
  paintedPx: 2_000,
  /** A picture that takes longer to paint stays in a sealed frame, away from the page. */
  paintMs: 150,
} as const
