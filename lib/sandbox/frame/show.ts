// The only script of /show.html: shows HTML that code displayed, in an opaque origin, without network and without script
// of its own. The page around it sends the HTML once and is told the height.

const loadsByItself = 'script,link,meta,base,iframe,frame,object,embed,portal'

let shown = false

addEventListener('message', (event) => {
  const data: unknown = event.data
  if (shown || event.source !== parent || typeof data !== 'object' || data === null) return
  const { type, html } = data as { readonly type?: unknown; readonly html?: unknown }
  if (type !== 'nod-show' || typeof html !== 'string') return
  shown = true
  // Parsed in a document that is not shown, so that nothing loads before it was taken out.
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  for (const element of parsed.querySelectorAll(loadsByItself)) element.remove()
  document.body.replaceChildren(...parsed.head.querySelectorAll('style'), ...parsed.body.childNodes)
  const tell = () => parent.postMessage({ type: 'nod-show-size', height: document.documentElement.scrollHeight }, '*')
  new ResizeObserver(tell).observe(document.body)
  tell()
})

parent.postMessage({ type: 'nod-show-hello' }, '*')
