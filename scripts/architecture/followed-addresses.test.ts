import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { followedAddresses } from './followed-addresses'

const root = path.resolve(import.meta.dirname, '../..')

/** Addresses that are under the base path, or none of ours, for a reason that stands elsewhere. */
const known: Readonly<Record<string, string>> = {
  'app/licences/licence-list.tsx: source': 'where a library comes from',
  'components/account/provider-button.tsx: url': 'the provider’s, or ours as the server wrote it',
  'components/files/attach/attached-list.tsx: address': 'a blob',
  'components/files/message-files.tsx: picture': '`imageAddress` puts it under the base path',
  'components/files/viewer/use-blob-source.ts: address': 'a blob',
  'components/account/use-asking.ts: ...asked': '`wire.ts` puts all of them under the base path',
  'components/log/log-dialog.tsx: exportAddress(conversationId)': 'it puts it under the base path',
  'components/log/save-text.ts: address': 'a blob',
  'components/markdown/diagram/drawn-diagram.tsx: address': 'a blob',
  'components/markdown/mdast-blocks.tsx: href': 'of a text that somebody wrote',
  'components/ui/display-view.tsx: source': 'a picture in itself',
  'components/ui/download-blob.ts: address': 'a blob',
  'components/out/link-panel.tsx: making.address': '`withBase` made it where the link was',
  'components/settings/use-address-tab.ts: `${pathname}${search}${fragment}`': 'where the page is, base path and all',
  'lib/browser-models/own-server/serve-models.ts: input': 'a model’s server, on another host',
  'lib/browser-models/own-server/worker.ts: input': 'a model’s server, on another host',
  'lib/browser-models/wllama/frame/frame.ts: data.worker': 'given by its page, by `builtFile`',
  'lib/browser-models/wllama/frame/framed-worker.browser.ts: address': 'given by its page, by `builtFile`',
  'lib/browser-models/wllama/weights/fetch-weights.ts: url.href': 'where somebody keeps weights',
  'lib/browser-models/wllama/worker.ts: address': 'where somebody keeps weights',
  'lib/browser-models/wllama/worker.ts: globalThis.location.href': 'the worker’s own',
  'lib/browser-models/wllama/worker.ts: wllamaWasm': 'a file beside the worker',
  'lib/workspace/page/frame/frame.ts: `${frame}${query}${hash}`': 'the frame’s own, without an origin',
  'lib/workspace/page/frame/scroll.ts: hash': 'a place within the page that runs',
  'lib/models/request-extras.ts: input': 'a model’s, of the server',
  'lib/offline/built-files.ts: request': 'what a page asked for, or what the build wrote under the base path',
  'lib/offline/kept-rows.ts: request': 'what a page asked for',
  'lib/offline/service-worker.ts: address': '`kept-pages.ts` puts it under the base path',
  'lib/offline/service-worker.ts: event.request': 'what a page asked for',
  'lib/offline/service-worker.ts: request': 'what a page asked for',
  'lib/sandbox/frame-connection.ts: src': 'given by lib/wiring, by `builtFile`',
  'lib/sandbox/frame/frame.ts: url': 'a blob',
  'lib/wiring/make-server.ts: input': 'a model’s, of the server',
  'lib/wiring/nod-api.browser.ts: input': '`nod-api.ts` puts all of them under the base path',
  'lib/wiring/offline.browser.ts: address': 'one of `sealedFrames`, by `builtFile`',
  'lib/wiring/tool-runtime.browser.ts: url': '`fetch-asset.ts` gives it by `builtFile`',
}

it('a browser is given no address of ours that does not show that it is under the base path', () => {
  const files = globSync(['{app,components,lib}/**/*.{ts,tsx}', '*.ts'], { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !/\.test\.tsx?$|\/testing\/|\.contract\.ts$/.test(file))
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    followedAddresses(file, readFileSync(path.join(root, file), 'utf8')).map(({ address }) => `${file}: ${address}`),
  )
  expect(
    found.filter((one) => !(one in known)),
    'put it in withBase(…), or say in the list why it need not be',
  ).toEqual([])
  // What is there no more goes from the list.
  expect(Object.keys(known).filter((one) => !found.includes(one))).toEqual([])
})

it.each([
  ['a link', '<a href={addressOf(id)}>x</a>'],
  ['a link of two ways', "<a href={isNew ? withBase('/') : addressOf(id)}>x</a>"],
  ['a form', '<form action="/admin/accounts" />'],
  ['a button of a form', '<button formAction="/api/x" />'],
  ['a picture', '<img src={`/pictures/${id}`} />'],
  ['a frame', "frame.current.src = '/show.html'"],
  ['a link that is made', 'link.href = address'],
  ['a page that goes', "window.location.assign('/')"],
  ['a page that is replaced', "location.replace('/sign-in')"],
  ['a page that is set', "location.href = '/c/1'"],
  ['the history', "history.pushState(null, '', path)"],
  ['a window', "window.open('/playground')"],
  ['a request', "await fetch('/api/use')"],
  ['a request by name', 'globalThis.fetch(address)'],
  ['a worker', "new Worker('/workers/x.js', { type: 'module' })"],
  ['a whole address', "new URL('/c/1', window.location.origin)"],
  ['a beacon', "navigator.sendBeacon('/api/x', body)"],
  ['a header', "new Response(null, { status: 303, headers: { Location: '/access' } })"],
])('finds %s', (_, source) => {
  expect(followedAddresses('x.tsx', `async () => { ${source} }`)).toHaveLength(1)
})

it.each([
  ["<Link href='/c/1'>x</Link>", 'Next’s own link'],
  ["<a href='#top'>x</a>", 'a place on the page'],
  ["<a href='https://example.com'>x</a>", 'another host'],
  ["<form action={withBase('/api/access')} />", 'what shows it'],
  ["location.replace(withBase('/sign-in'))", 'what shows it'],
  ["history.replaceState(null, '', `#run:${next}`)", 'a place on the page'],
  ["redirect('/sign-in')", 'Next’s own'],
  ["text.replace('/', '')", 'a text'],
  ['link.href = URL.createObjectURL(blob)', 'a blob'],
  ['ports.fetch(address)', 'somebody else’s'],
  ['new URL(given)', 'no address of this page'],
])('lets %s be: %s', (source) => {
  expect(followedAddresses('x.tsx', `async () => { ${source} }`)).toEqual([])
})
