// The only script of /show.html: shows HTML or an SVG that code displayed, in an opaque origin, without network and
// without scripts in the content. The surrounding page sends the content once, receives its size, and regularly checks
// whether the frame still answers: content that takes too long to draw is removed with the frame.

const loadsByItself = 'script,link,meta,base,iframe,frame,object,embed,portal'
/** Sharp on dense screens; larger sides are not useful for a picture. */
const pngScale = 2
const maxPngSidePx = 4_096

let shown = false
let picture: HTMLImageElement | null = null

const tell = (type: string, more: object = {}, transfer: Transferable[] = []) =>
  parent.postMessage({ type: `nod-show-${type}`, ...more }, '*', transfer)

const reportSize = () =>
  tell('size', {
    // A document is never lower than its frame; a picture reports its own height, even if it got smaller.
    height: picture?.getBoundingClientRect().height ?? document.documentElement.scrollHeight,
    ...(picture && { width: picture.naturalWidth, ownHeight: picture.naturalHeight }),
  })

function showHtml(html: string): void {
  // Parsed in a document that is not shown, so that nothing loads before it is removed.
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  for (const element of parsed.querySelectorAll(loadsByItself)) element.remove()
  document.body.replaceChildren(...parsed.head.querySelectorAll('style'), ...parsed.body.childNodes)
  new ResizeObserver(reportSize).observe(document.body)
  reportSize()
}

/** As an image, in which nothing runs, loads or can be clicked. */
function showSvg(svg: string, isCentred: boolean): void {
  const image = new Image()
  picture = image
  // The frame's own title names it.
  image.alt = ''
  image.style.cssText = 'display:block;max-width:100%;height:auto'
  image.addEventListener('error', () => tell('broken'))
  image.addEventListener('load', reportSize)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  document.body.style.cssText = isCentred ? 'margin:0;min-height:100vh;display:grid;place-items:center' : 'margin:0'
  document.body.replaceChildren(image)
  new ResizeObserver(reportSize).observe(document.body)
}

/** The picture on white, twice its size; null if it can't be drawn. */
async function png(): Promise<ArrayBuffer | null> {
  if (picture === null) return null
  const [width, height] = [picture.naturalWidth || 300, picture.naturalHeight || 150]
  const factor = Math.min(pngScale, maxPngSidePx / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * factor))
  canvas.height = Math.max(1, Math.round(height * factor))
  const paper = canvas.getContext('2d')
  if (!paper) return null
  paper.fillStyle = '#fff'
  paper.fillRect(0, 0, canvas.width, canvas.height)
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  return blob ? blob.arrayBuffer() : null
}

addEventListener('message', (event) => {
  const data: unknown = event.data
  if (event.source !== parent || typeof data !== 'object' || data === null) return
  const { type, html, svg, isCentred, n } = data as Readonly<Record<string, unknown>>
  if (type === 'nod-show-ping') return tell('pong', { n })
  if (type === 'nod-show-png') {
    const give = (bytes: ArrayBuffer | null) => tell('png', { bytes }, bytes ? [bytes] : [])
    return void png().then(give, () => give(null))
  }
  if (shown || type !== 'nod-show') return
  shown = typeof html === 'string' || typeof svg === 'string'
  if (typeof html === 'string') showHtml(html)
  else if (typeof svg === 'string') showSvg(svg, isCentred === true)
})

tell('hello')
