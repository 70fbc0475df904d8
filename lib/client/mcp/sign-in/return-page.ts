import { readReturned, signInChannel } from './returned'

// The only script of /signed-in.html, where the window of a sign-in ends. Only the worker that has the verifier can use
// the code in its address; it is removed from the address anyway.

const { location, history, document } = globalThis.window
const returned = readReturned(location)
history.replaceState(null, '', location.pathname)
new BroadcastChannel(signInChannel).postMessage(returned)
// The page is static and knows no language, so it shows both.
document.body.textContent = 'You can close this window. 可以关闭此窗口了。'
globalThis.window.close()
