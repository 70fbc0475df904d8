import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What a test of a server of the person's own found, and what to do: each of it is said of what the browser measured. */
export const browserModelWords = {
  'doctor.models':
    '{count, plural, =0 {It answers this page, and has no models yet. Load or pull one there, then test again.} one {It answers this page and has # model.} other {It answers this page and has # models.}}',
  'doctor.no-address': 'This is no address. It looks like http://127.0.0.1:11434 or https://models.example.com/v1.',
  'doctor.not-allowed':
    'Whoever runs this Nod does not let its pages reach {address}. Only they can change that: the setting is NOD_BROWSER_MODELS.',
  'doctor.unreachable':
    'Nothing answers at {address}. Start {server}, and look whether the address and the port are right.',
  'doctor.mixed-content':
    'This page came by https, and browsers let such a page ask by http on your own machine only. {address} is another machine: give it https, or open Nod by http.',
  'doctor.local-network-denied':
    'This browser was told not to let this page reach your local network, so it did not ask {address}. Allow “Local network access” in the site’s settings (the sign before the address), then test again.',
  'doctor.local-network-asks':
    'Nothing came from {address}. This browser asks you before a page may reach your local network: answer Allow, then test again. If no question came, nothing answers there.',
  'doctor.no-cors':
    'A server answers at {address}. But it does not let this page read the answer: the header Access-Control-Allow-Origin for {origin} is missing. If that is {server}, this lets the page in:',
  'doctor.header-refused':
    'A server answers at {address} and lets this page read, but it refuses the header {header}: Access-Control-Allow-Headers for {origin} must name it.',
  'doctor.key-refused':
    '{hadKey, select, true {It refused the key ({status}). Look whether the key is whole, and of this server.} other {It wants a key ({status}). Put in the one that you have for it.}}',
  'doctor.refused': 'It refused to say which models it has ({status}), and said: {words}',
  'doctor.wrong-path':
    '{isHtml, select, true {A web page} other {An answer ({status})}} stands at this address, and no list of models. {instead, select, null {Look for the part that ends with /v1 in what the server says at its start.} other {There is one at {instead}.}}',
  'doctor.compatible': 'an OpenAI-compatible server',
  'doctor.wrong-kind': 'This is {is}. Choose that kind.',
  'doctor.server-error': 'It answered {status}: it runs, and something is wrong with it now. Its own log says more.',

  'fix.ollama': 'OLLAMA_ORIGINS={origin}',
  'fix.lm-studio': 'lms server start --cors',
  'fix.llama-cpp': 'llama-server --cors-origins {origin}',
  'fix.vllm': 'vllm serve --allowed-origins \'["{origin}"]\'',
  'fix.headers': 'Access-Control-Allow-Headers: authorization, content-type',
  'how.ollama': 'Ollama reads it from its environment. Set it, then start Ollama again:',
  'how.lm-studio': 'In LM Studio: Developer, Server Settings, “Enable CORS”. Or on a command line:',
  'how.llama-cpp': 'llama.cpp lets every page in unless it was told otherwise; with --cors-origins it is told so:',
  'how.vllm': 'vLLM:',
  'how.headers': 'Whatever stands before it (a proxy) has to answer OPTIONS with:',

  'doing.loading': 'is being loaded: {percent, number} %',
  'doing.reading': 'reads the chat: {percent, number} %',
  'hosts.none':
    'Whoever runs this Nod does not let its pages reach model servers by themselves (the setting NOD_BROWSER_MODELS).',
  'own.facts':
    '{kind}{address, select, empty {} other {, {address}}}{hasKey, select, true { · with a key} other {}} · {contextTokens, select, null {window not known} other {{contextTokens, number} tokens}}',
  'server.facts':
    '{count, plural, =0 {No model comes from the configuration of whoever runs this Nod. Only they can change that.} one {# model from the configuration of whoever runs this Nod. Only they can change it.} other {# models from the configuration of whoever runs this Nod. Only they can change these.}}',
  'server.model':
    '{provider}{contextTokens, select, null {} other { · {contextTokens, number} tokens}}{isDefault, select, true { · chosen for new chats} other {}}',

  'kept.where':
    'Address and key stay in this browser (its IndexedDB), readable to whoever can use this browser profile. They are never sent to Nod’s server; it gets the name of the model and what it writes.',
  'kept.failed': 'This browser did not keep it: it lets this site store nothing, or has no room.',
  'chrome.downloadable':
    'This browser can have a model of its own. It is downloaded by the browser, once, when you add it.',
  'chrome.downloading': 'The browser fetches its model: {percent, number} %.',
  'chrome.available': 'This browser has a model of its own, ready to write.',
  'chrome.failed': 'The browser did not give its model: {why}',
} as const satisfies Catalogue

export const browserModelSentence = sentencesOf(browserModelWords)
