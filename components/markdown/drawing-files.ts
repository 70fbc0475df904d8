/**
 * KaTeX's style sheet and fonts as served. The name contains the package version, so that browsers can cache it
 * forever.
 */
export const katexFolder = 'drawing/katex-0.19.1'
export const katexSheet = `${katexFolder}/katex.css`

/** Mermaid's modules as served. The name contains the package version, so that browsers can cache them forever. */
export const mermaidFolder = 'drawing/mermaid-11.17.2'
export const mermaidEntry = 'mermaid.esm.min.mjs'
