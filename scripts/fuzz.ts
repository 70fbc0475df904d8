/*
 * npm run fuzz -- [replies|grammar|node] [options]: random inputs with seeds; a finding names its seed.
 *   replies (the default): damaged replies under every strategy
 *   grammar: replies that the grammars allow, parsed back
 *   node: file calls on Node's own fs and on the sandbox's
 * The options are in the first comment of each file in scripts/fuzz. Exit code 1 if something was found.
 */

import process from 'node:process'

const kinds = {
  replies: () => import('./fuzz/fuzz-replies'),
  grammar: () => import('./fuzz/fuzz-grammar'),
  node: () => import('./fuzz/fuzz-node'),
}
const isKind = (word: string | undefined): word is keyof typeof kinds => word !== undefined && word in kinds

const [word] = process.argv.slice(2)
// Each reads its options from the following arguments.
if (isKind(word)) process.argv.splice(2, 1)
await kinds[isKind(word) ? word : 'replies']()
