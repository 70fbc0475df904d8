import { errorsOf, sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { formatBytes } from '@/lib/base/format-bytes'

/** What a model that this browser runs by itself refuses: its weights, what the browser lacks, and its replies. */
const wllamaWords = {
  'wllama.no-webassembly':
    'This browser runs no WebAssembly, so it can’t run a model itself. Use a current Chrome, Edge or Chromium. Take a model of your own server, or the demo, meanwhile.',
  'wllama.no-simd':
    'This browser’s WebAssembly lacks SIMD, without which llama.cpp does not run. Use a current Chrome, Edge or Chromium. Take a model of your own server, or the demo, meanwhile.',
  'wllama.no-exceptions':
    'This browser’s WebAssembly lacks exceptions, without which llama.cpp does not run. Use a current Chrome, Edge or Chromium. Take a model of your own server, or the demo, meanwhile.',
  'wllama.no-jspi':
    'This browser’s WebAssembly can’t wait for files (JSPI) or reach enough memory (Memory64), as llama.cpp needs. Use a current Chrome, Edge or Chromium. Take a model of your own server, or the demo, meanwhile.',
  'wllama.no-opfs':
    'This browser keeps no large files for pages: a private window, or site data that are blocked. Allow site data for this page, or pick a file of your disk, which is not copied.',
  'wllama.no-worker':
    'The part of Nod that runs models could not be started{details, select, empty {} other { ({details})}}. Reload the page and try again.',

  'wllama.no-address': 'This is no address. Give that of a GGUF file, which begins with https://.',
  'wllama.not-https':
    '{host} would be asked without encryption, and pages may not. Give an address that begins with https://.',
  'wllama.host-not-allowed':
    '{hosts, select, empty {Whoever runs this server lets browsers fetch models from no host. Download the file by yourself, then pick it from your disk.} other {Whoever runs this server lets browsers fetch models from {hosts} alone, not from {host}. Download the file by yourself, then pick it from your disk; or ask for {host} to be added to NOD_MODEL_HOSTS.}}',
  'wllama.unreachable':
    '{host} could not be reached: nothing answers there, there is no network, it lets no pages of other sites read its files (CORS), or it leads on to a host that this server does not allow (NOD_MODEL_HOSTS). Download the file by yourself, then pick it from your disk.',
  'wllama.refused':
    '{status, plural, =404 {{host} has no such file (404). Look at the address.} =401 {{host} gives this file only to those who are signed in there (401). Download it by yourself, then pick it from your disk.} =403 {{host} gives this file only to those who are signed in there (403). Download it by yourself, then pick it from your disk.} other {{host} refused the file ({status}). Try again later, or download it by yourself and pick it from your disk.}}',
  'wllama.no-size':
    '{host} does not say how large the file is, so it can’t be told whether there is room. Download it by yourself, then pick it from your disk.',
  'wllama.no-room':
    'There is no room for {needs, bytes}: the browser {free, select, null {keeps no more} other {has {free, bytes} left}} for this page. Remove another model, free space on this device, or pick a file of your disk, which is not copied.',
  'wllama.cut-off':
    'The connection ended after {got, bytes} of {total, bytes}. What came is kept: fetch it again, and it goes on from there.',
  'wllama.busy-elsewhere': '{name} is being fetched or copied in another tab. Wait for that one, then try again.',
  'wllama.not-kept':
    '{name} could not be kept in this browser{details, select, empty {} other { ({details})}}. Free space on this device and try again, or pick a file of your disk, which is not copied.',
  'wllama.gone':
    '{name} is no longer kept in this browser; it may have been removed in another tab, or by the browser to make room. Add it again.',
  'wllama.pick-again':
    '{name} is a file of your disk, and this page may read it no more, as after each reload. Pick it again, or let this browser keep a copy.',
  'wllama.file-changed':
    '{name} can’t be read any more: it was changed, moved or removed after it was picked. Pick it again.',

  'wllama.not-gguf':
    '{isPage, select, true {{name} is a web page, not a model. Give the address of the file itself, as its download button does.} other {{name} is no GGUF file, and llama.cpp reads no other. Look for a file of the model that ends in .gguf.}}',
  'wllama.version':
    '{name} is a GGUF of version {version}, which can’t be read; versions 2 and 3 can. Look for a newer file of the model.',
  'wllama.truncated': ({
    name,
    has,
    needs,
  }: {
    readonly name: string
    readonly has: number
    readonly needs: number
  }) =>
    needs > has
      ? `${name} is cut off: it has ${formatBytes(has)} of ${formatBytes(needs)}. Download it again.`
      : `${name} is cut off: it ends before its own list of weights does. Download it again.`,
  'wllama.damaged': '{name} begins as a GGUF and goes on as none: it is damaged. Download it again.',
  'wllama.in-parts': '{name} is one of {parts} parts of a model. Look for the model as one file, or for a smaller one.',
  'wllama.no-chat-model':
    '{name} holds no model that writes text{architecture, select, empty {} other { ({architecture})}}. Look for one that chats, often named “instruct”.',
  'wllama.too-large':
    '{name} needs about {needs, bytes} of memory, and a page has {most, bytes}. Take a smaller model, or a smaller quantisation of it (Q4).',
  'wllama.out-of-memory':
    'The memory of this page did not suffice for {name}. Close other tabs, or take a smaller model.',
  'wllama.load-stalled':
    '{name} did not load: nothing moved for two minutes. Close other tabs and try again, or take a smaller model.',
  'wllama.not-loaded':
    'llama.cpp could not load {name}{details, select, empty {} other { ({details})}}. Take another file of the model; its kind may be newer than this llama.cpp.',

  'wllama.no-text':
    'The model wrote something that is no text (broken UTF-8), and its reply ended there. What came before is kept. Ask again; if it goes on, take another file of this model, or another model.',
  'wllama.too-long':
    'The chat is longer than the model’s window of {window} tokens. Start a new chat, take fewer tools, or add the model with a larger window.',
  'wllama.grammar':
    'llama.cpp does not take the grammar of this chat’s call format{details, select, empty {} other { ({details})}}. Turn “Exact calls” off in the settings of this chat, or choose another call format.',
  'wllama.crashed':
    'llama.cpp stopped working{details, select, empty {} other { ({details})}}. What came before is kept. Ask again: the model is loaded anew.',
  'wllama.removed':
    '{name} was removed from the list of models, or changed there, while it wrote. What came before is kept. Choose another model, or add it again.',
  'wllama.failed':
    'The model could not write{details, select, empty {} other { ({details})}}. What came before is kept. Ask again.',
} as const satisfies Catalogue

export const wllamaError = errorsOf(wllamaWords)

export const wllamaSentence = sentencesOf(wllamaWords)
