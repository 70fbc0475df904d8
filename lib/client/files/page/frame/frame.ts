// The only script of /run.html until the page comes. It runs a page of the workspace in an opaque origin, without
// network, storage, windows or dialogs (enforced by `pageFrameHeaders`). The chat around it sends the page once, with
// the files that it may request, checks whether it still answers, and receives its output. The page's own scripts share
// this frame, so they can send any message that this script can: messages from here are never trusted as more than the
// page's own.
import type { PageAsked, PageToRun } from '../page-messages'
import { answerElements } from './answer-elements'
import { requestSibling, fetchSibling } from './answer-requests'
import { siblingWorkers } from './answer-workers'
import {
  createSiblingFiles,
  type SiblingFiles,
  createFrameModules,
  mappedModules,
  installModuleLoader,
} from './frame-modules'
import { followLinks, restoreScroll, reportScroll } from './follow-links'
import { quietFocus } from './focus-guard'
import { createPicker, type Picker } from './picker'
import { watchPage } from './watch-page'

const { port1, port2 } = new MessageChannel()
const say = port1.postMessage.bind(port1) as (message: object) => void

let picker: Picker | null = null
let beside: SiblingFiles | null = null

function run({ html, path, base, bundle, query, hash, scroll }: PageToRun): void {
  const frame = location.origin + location.pathname
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { value: memoryStorage(), configurable: true })
  }
  // Removes all listeners of the previous page; those that are added from now on stay.
  document.open()
  beside = createSiblingFiles({ path, base, bundle, frame, say })
  window.fetch = fetchSibling(beside, say)
  window.XMLHttpRequest = requestSibling(beside)
  window.Worker = siblingWorkers(beside, say)
  const modules = createFrameModules(beside, mappedModules)
  installModuleLoader(beside, modules)
  answerElements(beside, modules)
  quietFocus(say)
  followLinks(say)
  watchPage(say, beside)
  reportScroll(say)
  addEventListener('pagehide', () => say({ type: 'left' }))
  try {
    // Makes no request and changes no visible address. It lets the page read its query and hash.
    history.replaceState(null, '', `${frame}${query}${hash}`)
  } catch {
    // In a browser that lets a sealed frame change no address, the page reads none.
  }
  document.write(html)
  document.close()
  restoreScroll(scroll, hash)
  picker = createPicker(say)
}

port1.addEventListener('message', ({ data }: MessageEvent<PageAsked>) => {
  if (data.type === 'ping') say({ type: 'pong', number: data.number })
  else if (data.type === 'pick') picker?.set(data.on)
  else if (data.type === 'bundle') beside?.update(data.bundle)
  else if (data.type === 'hash') location.hash = data.hash
  else if (picker === null) run(data)
})
port1.start()

// Sent before anything foreign runs here, so it is reliable: whether the browser gives this frame a process of its own.
parent.postMessage({ type: 'nod-run-hello', isApart: self.crossOriginIsolated }, '*', [port2])

/**
 * The page's `localStorage`, which lasts as long as it runs: a frame of an opaque origin has none, and many pages use
 * it at start.
 */
export function memoryStorage(): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  }
}
