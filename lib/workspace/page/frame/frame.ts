// The only script of /run.html until the page comes: runs a page of the workspace in an opaque origin, without network, storage,
// windows or dialogs (`pageFrameHeaders` sees to it). The chat around it sends the page once, asks whether it still answers, and
// hears what it prints. The page's own scripts share this place, so they can say whatever this script can: nothing that is
// heard from here is taken for more than the page's word.
import type { PageAsked } from '../page-says'
import { memoryStorage } from './memory-storage'
import { createPicker, type Picker } from './picker'
import { watchPage } from './watch-page'

const { port1, port2 } = new MessageChannel()
const say = port1.postMessage.bind(port1) as (message: object) => void

let picker: Picker | null = null

function run(html: string): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { value: memoryStorage(), configurable: true })
  }
  // Forgets all listeners of the page that was here; those that are added from now on stay.
  document.open()
  watchPage(say)
  addEventListener('pagehide', () => say({ type: 'left' }))
  document.write(html)
  document.close()
  picker = createPicker(say)
}

port1.addEventListener('message', ({ data }: MessageEvent<PageAsked>) => {
  if (data.type === 'ping') say({ type: 'pong' })
  else if (data.type === 'pick') picker?.set(data.on)
  else if (picker === null) run(data.html)
})
port1.start()

// Said before anything foreign is here, so it is true: whether the browser gives this frame a process of its own.
parent.postMessage({ type: 'nod-run-hello', isApart: self.crossOriginIsolated }, '*', [port2])
