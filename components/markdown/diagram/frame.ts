// The only script of /diagram.html. It draws diagrams with Mermaid in an opaque origin, without network access except
// for Mermaid's own modules. The surrounding page sends a diagram's source and gets its SVG as text. A drawing that
// takes too long is removed with the frame.
import { mermaidEntry, mermaidFolder } from '../drawing-files'
import { diagramLimits } from './diagram-queue'

interface Mermaid {
  initialize(config: object): void
  render(id: string, text: string): Promise<{ readonly svg: string; readonly diagramType: string }>
}

/** Settings that a diagram's source may not change. */
const secure = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'htmlLabels',
  'flowchart',
  'fontFamily',
  'theme',
  'themeCSS',
  'themeVariables',
  'dompurifyConfig',
  'suppressErrorRendering',
]

const tell = (type: string, more: object = {}) => parent.postMessage({ type: `nod-diagram-${type}`, ...more }, '*')

/** Mermaid may write HTML such as `<br>` and `&nbsp;`, which is not XML. A picture has to be XML. */
function svgRoot(text: string): Element | null {
  const strict = new DOMParser().parseFromString(text, 'image/svg+xml')
  if (strict.querySelector('parsererror') === null) return strict.querySelector(':root:is(svg)')
  return new DOMParser().parseFromString(text, 'text/html').querySelector('svg')
}

/** Sets the size in pixels, because an image with `100%` has no size. */
function sized(svg: string): SizedSvg | null {
  const root = svgRoot(svg)
  if (!root) return null
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  if (!(width > 0) || !(height > 0)) return null
  root.setAttribute('width', String(width))
  root.setAttribute('height', String(height))
  return { svg: new XMLSerializer().serializeToString(root), width, height }
}

interface SizedSvg {
  readonly svg: string
  readonly width: number
  readonly height: number
}

/** How often a picture that seemed slow is painted: a busy machine makes every picture slow once. */
const maxPaints = 4

/**
 * Paints the picture here, where it can be aborted, before the page gets it. Resolves to the milliseconds that the
 * fastest attempt took. Rejects if it is not a picture.
 */
async function paint(picture: SizedSvg): Promise<number> {
  let fastest = Infinity
  for (let attempt = 1; attempt <= maxPaints && fastest > diagramLimits.paintMs; attempt += 1) {
    fastest = Math.min(fastest, await paintOnce(picture, attempt))
    // A picture that takes seconds is not slow by chance.
    if (fastest > 10 * diagramLimits.paintMs) break
  }
  return fastest
}

async function paintOnce({ svg, width, height }: SizedSvg, attempt: number): Promise<number> {
  const started = performance.now()
  const image = new Image()
  // The number changes the address, because the browser caches a picture that it has loaded.
  image.src = `data:image/svg+xml;charset=utf-8;attempt=${attempt},${encodeURIComponent(svg)}`
  await image.decode()
  const scale = Math.min(1, diagramLimits.paintedPx / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const paper = canvas.getContext('2d')
  paper?.drawImage(image, 0, 0, canvas.width, canvas.height)
  try {
    // Waits for deferred drawing.
    paper?.getImageData(0, 0, 1, 1)
  } catch {
    // A picture with HTML is painted, but its pixels can't be read.
  }
  return performance.now() - started
}

/** Mermaid requires quotation marks around branch names in other scripts, and models leave them out. */
const withQuotedBranches = (text: string): string =>
  /^\s*gitGraph\b/m.test(text)
    ? text.replace(/^([ \t]*(?:branch|checkout|switch|merge)[ \t]+)([^\s"]*[^\s"\u0020-\u007e][^\s"]*)/gm, '$1"$2"')
    : text

async function draw(mermaid: Mermaid, id: number, text: string, dark: boolean): Promise<void> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: dark ? 'dark' : 'default',
    fontFamily: 'system-ui, sans-serif',
    maxTextSize: diagramLimits.chars,
    maxEdges: crossOriginIsolated ? diagramLimits.edges : diagramLimits.edgesBeside,
    secure,
    deterministicIds: true,
    suppressErrorRendering: true,
  })
  try {
    const { svg } = await mermaid.render(`d${id}`, withQuotedBranches(text))
    const picture = sized(svg)
    if (picture && picture.svg.length > diagramLimits.svgChars) tell('large', { id })
    else if (picture) tell('drawn', { id, ...picture, paintMs: await paint(picture) })
    else tell('failed', { id, why: '' })
  } catch (error) {
    tell('failed', { id, why: error instanceof Error ? error.message.slice(0, 400) : '' })
  }
}

const address = new URL(`${mermaidFolder}/${mermaidEntry}`, document.baseURI).href

void (async () => {
  try {
    const { default: mermaid } = (await import(address)) as { readonly default: Mermaid }
    addEventListener('message', (event) => {
      const data: unknown = event.data
      if (event.source !== parent || typeof data !== 'object' || data === null) return
      const { type, id, text, dark } = data as Readonly<Record<string, unknown>>
      if (type !== 'nod-diagram' || typeof id !== 'number' || typeof text !== 'string') return
      void draw(mermaid, id, text, dark === true)
    })
    tell('hello')
  } catch {
    tell('unloaded')
  }
})()
