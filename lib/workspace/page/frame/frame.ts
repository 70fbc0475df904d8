// The only script of /run.html until the page comes: runs a page of the workspace in an opaque origin, without network, storage,
// windows or dialogs (`pageFrameHeaders` sees to it). The chat around it sends the page once, with the files that it may ask for,
// asks whether it still answers, and hears what it prints. The page's own scripts share this place, so they can say whatever this
// script can: nothing that is heard from here is taken for more than the page's word.
import type { PageAsked, PageToRun } from '../page-says'
import { answerElements } from './answer-elements'
import { fetchBeside } from './answer-fetch'
import { requestBeside } from './answer-requests'
import { workersBeside } from './answer-workers'
import { createBeside, type FilesBeside } from './beside'
import { followLinks } from './follow-links'
import { memoryStorage } from './memory-storage'
import { createFrameModules, mappedModules, openModuleDoor } from './frame-modules'
import { quietFocus } from './quiet-focus'
import { createPicker, type Picker } from './picker'
import { takePlace, tellScroll } from './scroll'
import { watchPage } from './watch-page'

const { port1, port2 } = new MessageChannel()
const say = port1.postMessage.bind(port1) as (message: object) => void

let picker: Picker | null = null
let beside: FilesBeside | null = null

function run({ html, path, base, bundle, query, hash, scroll }: PageToRun): void {
  const frame = location.origin + location.pathname
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { value: memoryStorage(), configurable: true })
  }
  // Forgets all listeners of the page that was here; those that are added from now on stay.
  document.open()
  beside = createBeside({ path, base, bundle, frame, say })
  window.fetch = fetchBeside(beside, say)
  window.XMLHttpRequest = requestBeside(beside)
  window.Worker = workersBeside(beside, say)
  const modules = createFrameModules(beside, mappedModules)
  openModuleDoor(beside, modules)
  answerElements(beside, modules)
  quietFocus(say)
  followLinks(say)
  watchPage(say, beside)
  tellScroll(say)
  addEventListener('pagehide', () => say({ type: 'left' }))
  try {
    // No request: the address bar of nobody. So the page reads what it was asked with.
    history.replaceState(null, '', `${frame}${query}${hash}`)
  } catch {
    // A browser that lets a sealed frame change no address: it reads none.
  }
  document.write(html)
  document.close()
  takePlace(scroll, hash)
  picker = createPicker(say)
}

port1.addEventListener('message', ({ data }: MessageEvent<PageAsked>) => {
  if (data.type === 'ping') say({ type: 'pong' })
  else if (data.type === 'pick') picker?.set(data.on)
  else if (data.type === 'bundle') beside?.update(data.bundle)
  else if (data.type === 'hash') location.hash = data.hash
  else if (picker === null) run(data)
})
port1.start()

// Said before anything foreign is here, so it is true: whether the browser gives this frame a process of its own.
parent.postMessage({ type: 'nod-run-hello', isApart: self.crossOriginIsolated }, '*', [port2])
