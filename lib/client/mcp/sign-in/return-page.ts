import { readReturned, signInChannel } from './returned'

// The only script of /signed-in.html, where the window of a sign-in ends. The code in its address is of use to the worker alone
// that holds the verifier; it is taken out of the address all the same.

const { location, history, document } = globalThis.window
const returned = readReturned(location)
history.replaceState(null, '', location.pathname)
new BroadcastChannel(signInChannel).postMessage(returned)
// Static, so it knows no language: both.
document.body.textContent = 'You can close this window. 可以关闭此窗口了。'
globalThis.window.close()
