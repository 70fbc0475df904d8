/** KaTeX's style sheet and letters as they are served; the name carries the version of its package, so that browsers keep them for good. */
export const katexFolder = 'drawing/katex-0.19.1'
export const katexSheet = `${katexFolder}/katex.css`

/** Mermaid's modules as they are served; the name carries the version of its package, so that browsers keep them for good. */
export const mermaidFolder = 'drawing/mermaid-11.17.2'
export const mermaidEntry = 'mermaid.esm.min.mjs'
