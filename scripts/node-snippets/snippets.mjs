import { errorsAndCallbacks } from './groups/errors-and-callbacks.mjs'
import { foldersAndMoves } from './groups/folders-and-moves.mjs'
import { lessCommon } from './groups/less-common.mjs'
import { modulesAndProcess } from './groups/modules-and-process.mjs'
import { readingAndWriting } from './groups/reading-and-writing.mjs'
import { streamsAndBytes } from './groups/streams-and-bytes.mjs'

/**
 * Programs as models write them for Node. `form`: the kind of code, the body of a `script` (its `return` is compared),
 * an ES `module`, `cjs` or `ts`. `files` exist before it runs.
 * @type {readonly { name: string, code: string, form?: 'script' | 'module' | 'cjs' | 'ts', files?: Record<string, string> }[]}
 */
export const snippets = [
  ...readingAndWriting,
  ...foldersAndMoves,
  ...errorsAndCallbacks,
  ...streamsAndBytes,
  ...modulesAndProcess,
  ...lessCommon,
]
