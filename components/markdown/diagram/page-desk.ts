import { builtFile } from '@/lib/base/base-path'
import { createDiagramDesk, type DiagramAnswer, type DiagramFrame } from './diagram-desk'

/** Out of sight, but laid out: what draws measures its words. */
function openFrame(hear: (data: unknown) => void): DiagramFrame {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  frame.referrerPolicy = 'no-referrer'
  frame.style.cssText =
    'position:fixed;inset-block-start:0;inset-inline-start:-10000px;width:1000px;height:800px;border:0;pointer-events:none'
  const onMessage = (event: MessageEvent) => {
    if (frame.contentWindow !== null && event.source === frame.contentWindow) hear(event.data)
  }
  window.addEventListener('message', onMessage)
  document.body.append(frame)
  // The address comes after the listener, or its first word could be missed.
  frame.src = builtFile('/diagram.html')
  return {
    // An opaque origin can only be addressed by the star; what is sent is the frame's own.
    post: (message) => frame.contentWindow?.postMessage(message, '*'),
    remove() {
      window.removeEventListener('message', onMessage)
      frame.remove()
    },
  }
}

const desk = createDiagramDesk({
  open: openFrame,
  schedule(task, ms) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
})

/** So many are remembered: a list that scrolls shows them again and again. */
const maxKept = 40
const kept = new Map<string, DiagramAnswer>()
const keyOf = (text: string, dark: boolean) => `${dark ? 'dark' : 'light'} ${text}`

export const keptDiagram = (text: string, dark: boolean): DiagramAnswer | null => kept.get(keyOf(text, dark)) ?? null

/** Draws it once for the page. `onAnswer` is called once, unless the returned function was called before. */
export function drawDiagram(text: string, dark: boolean, onAnswer: (answer: DiagramAnswer) => void): () => void {
  return desk.draw(text, dark, (answer) => {
    // What hung hangs again, until somebody asks for it; what did not load may load.
    if (answer.kind !== 'not-loaded') kept.set(keyOf(text, dark), answer)
    for (const [oldest] of kept) {
      if (kept.size <= maxKept) break
      kept.delete(oldest)
    }
    onAnswer(answer)
  })
}

export const forgetDiagram = (text: string, dark: boolean): void => void kept.delete(keyOf(text, dark))
