import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { ownFormsIn, proseIn } from './prose'

const root = path.resolve(import.meta.dirname, '../..')
const isOurs = (file: string): boolean =>
  !/\.(?:test|contract)\.tsx?$|\/testing\/|\/cases[./]|contract-checks/.test(file)
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const sources = (pattern: string): readonly string[] => globSync(pattern, { cwd: root }).filter(isOurs).toSorted()

/** Everywhere else in these folders what is said to people comes from a catalogue. The list may only become shorter. */
const elsewhere: Readonly<Record<string, string>> = {
  'lib/base/base-words.ts': 'the catalogue of lib/base',
  'lib/base/foreign-text/mark-words.ts': 'a catalogue of lib/base',
  'lib/calls/chain-limits.ts': 'for the model, and its card says the same',
  'lib/calls/result-draft.ts': 'for the model',
  'lib/chat/attachment-words.ts': 'for the model',
  'lib/chat/close-calls.ts': 'for the model',
  'lib/chat/native-messages.ts': 'for the model',
  'lib/chat/summary-request.ts': 'for the model',
  'lib/chat/tool-macros.ts': 'for the model',
  'lib/conversation/registered-tool-schema.ts': 'a tool’s description, for the model',
  'lib/conversation/stopped-outcome.ts': 'for the model',
  'lib/conversation/title-request.ts': 'for the model',
  'lib/http/openness.ts': 'for whoever starts the server, in its terminal',
  'lib/base/features.browser.ts': 'as a browser would say it; the page has its own words',
  'lib/browser-models/wllama/weights/opfs-place.browser.ts': 'as a browser would say it; the page has its own words',
  'lib/settings/account-rows.ts': 'the table of settings in the docs',
  'lib/settings/fair-use-settings.ts': 'the table of settings in the docs; the page has its own words',
  'lib/settings/settings-table.ts': 'the table of settings in the docs; the page has its own words',
  'lib/settings/vendor-settings.ts': 'the table of settings in the docs',
  'lib/strategies/tiling.ts': 'an invariant',
  'lib/wiring/deletion-guard.server.ts': 'for whoever runs the server, in its log',
  'lib/wiring/sweep-data.server.ts': 'for whoever runs the server, in its log',
  'lib/browser-models/model-list.ts': 'as a browser would say it; the page has its own words',
  'lib/sandbox/change-list.ts': 'for the code that hands in a wrong list',
  'lib/sandbox/fetch-asset.ts': 'for the code that asked for it',
  'lib/sandbox/vfs-bridge.ts': 'for the code that asked for files',
  'lib/store/stand-in.ts': 'for the model, in the place of a result',
  'lib/strategies/explain/reply-examples.ts': 'replies of a model, to look at',
  'lib/strategies/whole-reply.ts': 'an invariant',
  'lib/workspace/page/frame/answer-fetch.ts': 'for the code of a page, as a browser would say it',
  'lib/workspace/page/frame/frame-modules.ts': 'for the code of a page, as a browser would say it',
  'lib/tools/cap-result.ts': 'for the model, in a result',
  'lib/tools/code-files.ts': 'for the model, in a result',
  'lib/tools/edit-file/run.ts': 'for the model, in a result; the card has its own words',
  'lib/tools/json-schema-of.ts': 'for whoever writes a tool',
  'lib/tools/offload-result.ts': 'for the model, in a result',
  'lib/tools/read-file/page-of-lines.ts': 'for the model, in a result',
  'lib/tools/run-code.ts': 'for the model, in a result',
  'lib/tools/search-files/run-search.ts': 'for the model, in a result',
  'lib/store/make-folder.ts': 'as the file system says it; store-error.ts finds the words',
  'lib/tool-calls/interrupted-outcome.ts': 'for the model',
  'lib/tool-calls/run-call.ts': 'for the model; its card says what happened',
  'lib/tool-calls/save-outcome.ts': 'for the model',
  'lib/vfs/indexeddb/settled.ts': 'as a browser would say it; storage-failure.ts finds the words',
  'lib/vfs/pending/pending-changes.ts': 'an invariant',
  'lib/workspace/chat-zip/pack-chat.ts': 'the text file in the zip',
  'lib/workspace/history/change-words.ts': 'for the model, in the user’s voice',
}

/** What a script says when it plays a model, and what a model is asked in the lab. */
const isPlayed = (file: string): boolean => file.startsWith('lib/models/demo/') || file.startsWith('lib/lab/probes/')

/**
 * What models alone are told (prompts, lessons, descriptions of tools, of which `lib/words/tool-abouts.ts` tells people), what the
 * code in a sandbox is told by what it calls, and catalogues that stand beside what they say.
 */
const isTold = (file: string): boolean =>
  /^lib\/sandbox\/(?:frame|libraries)\//.test(file) ||
  /^lib\/strategies\/(?:.+-words|teach-breakage|teaching-error|prompt-parts|(?:[\w-]+\/)?(?:whole-)?prompt)\.ts$/.test(
    file,
  ) ||
  /^lib\/(?:strategies|tools)\/[\w-]+\/index\.ts$/.test(file)

/** Numbers and times for machines, or of the tool that tells the time. */
const ownForms = new Set([
  'lib/base/locale.ts',
  'lib/chat/plain-words.ts',
  'lib/tools/get-time/tell-time.ts',
  'lib/wiring/tool-runtime.browser.ts',
])

describe('words for people', () => {
  const folders =
    'accounts,base,browser-models,calls,chat,client,commands,conversation,http,lab,models,offline,out,sandbox,settings,store,strategies,tool-calls,tools,vfs,wiring,workspace'
  const files = [...sources(`lib/{${folders}}/**/*.ts`), ...sources('app/api/**/*.ts'), 'proxy.ts'].filter(
    (file) => !isPlayed(file) && !isTold(file),
  )

  it('stand in catalogues (lib/words), not where something is refused', () => {
    expect(files.length).toBeGreaterThan(300)
    const found = files
      .filter((file) => !Object.hasOwn(elsewhere, file))
      .flatMap((file) => proseIn(file, read(file)).map(({ line, text }) => `${file}:${line} ${text}`))
    expect(found).toEqual([])
  })

  it('and whoever is excused still needs it', () => {
    expect(Object.keys(elsewhere).filter((file) => proseIn(file, read(file)).length === 0)).toEqual([])
  })

  it.each([
    ["throw new AppError('conflict', 'Not now')", 1],
    ['const why = `${name} was not found. Look again.`', 1],
    ["return err({ message: 'It is a folder, not a file.' })", 1],
    ["throw new ApiFailure('aborted', 0, 'The page went away')", 1],
    ["const words = { 5: 'The disk is full, so nothing can be saved.' }", 1],
    ["throw new Error('two tools share one name')", 0],
    ["log('A reply could not be written.', error)", 0],
    ['const query = sql`select one. from two.`', 0],
    ["throw chatError('conflict', 'chat.call.none')", 0],
    ["import { a } from 'some-package'", 0],
  ])('%s', (source, count) => {
    expect(proseIn('x.ts', source)).toHaveLength(count)
  })
})

describe('numbers and times', () => {
  it('are written in one place, and so is the form of a word that goes with a number', () => {
    const found = sources('{app,components,lib}/**/*.{ts,tsx}')
      .filter((file) => !ownForms.has(file))
      .flatMap((file) => ownFormsIn(file, read(file)).map(({ line, text }) => `${file}:${line} ${text}`))
    expect(found).toEqual([])
    expect([...ownForms].filter((file) => ownFormsIn(file, read(file)).length === 0)).toEqual([])
  })

  it.each([
    ["n === 1 ? 'line' : 'lines'", 1],
    ["n !== 1 ? `${n} lines` : 'a line'", 1],
    ["`line${n === 1 ? '' : 's'}`", 1],
    ["n.toLocaleString('en')", 1],
    ['new Intl.NumberFormat()', 1],
    ['n === 1 ? only : null', 0],
  ])('%s', (source, count) => {
    expect(ownFormsIn('x.ts', source)).toHaveLength(count)
  })
})
