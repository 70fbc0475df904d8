import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { compileFunction, constants } from 'node:vm'
import type * as XGrammar from '@mlc-ai/web-xgrammar'

const require = createRequire(import.meta.url)

/**
 * XGrammar in this process. Its file is CommonJS in a package declared as a module, which Node can't load, so it is run
 * as CommonJS. Its output while compiling is kept in `said`. Throws if the package is missing.
 */
export function loadXGrammar(): { readonly xgrammar: typeof XGrammar; readonly said: readonly string[] } {
  const file = require.resolve('@mlc-ai/web-xgrammar')
  const said: string[] = []
  const keep = (...words: readonly unknown[]) => said.push(words.join(' '))
  const own = { exports: {} as typeof XGrammar }
  const run = compileFunction(
    readFileSync(file, 'utf8'),
    ['exports', 'module', 'require', '__filename', '__dirname', 'console'],
    { filename: file, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER },
  )
  run(own.exports, own, require, file, path.dirname(file), { log: keep, warn: keep, error: keep, info: keep })
  return { xgrammar: own.exports, said }
}
